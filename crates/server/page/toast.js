// News that pass: what was added, what was saved.

import { announce, h } from './dom.js';

const element = h('div', { class: 'toast', role: 'status', hidden: true });
let timer = 0;

/**
 * Says something in a corner of the page, for a while if it is an end.
 * @param {string} text
 * @param {{passes?: boolean}} [options]
 */
export function toast(text, { passes = true } = {}) {
  if (!element.isConnected) document.body.append(element);
  element.textContent = text;
  element.hidden = false;
  announce(text);
  clearTimeout(timer);
  if (passes) timer = window.setTimeout(() => (element.hidden = true), 8000);
}
