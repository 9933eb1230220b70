// Games saved as files. The browser alone would save them too, but say nothing of what a format cannot hold, nor why
// the server refuses.

import { count, h, words } from './dom.js';
import { request } from './api.js';
import { toast } from './toast.js';

/**
 * The name that the server gives to a file.
 * @param {Response} response
 */
const nameOf = (response) =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'games';

/**
 * @param {string} url
 * @param {string} format
 */
export async function save(url, format) {
  toast(`Saving as ${format} …`, { passes: false });
  try {
    const response = await request(url);
    const name = nameOf(response);
    const file = URL.createObjectURL(await response.blob());
    h('a', { href: file, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(file), 60_000);
    const losses = Number(response.headers.get('x-tabiya-losses') ?? 0);
    toast(
      losses
        ? `${name} is saved; ${format} cannot hold ${count(losses)} of the things in it`
        : `${name} is saved`,
    );
  } catch (error) {
    toast(`Not saved: ${words(error)}`);
  }
}
