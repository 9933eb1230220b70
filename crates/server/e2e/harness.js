// What all tests share: a browser, pages of two sizes, and what must be true of every page.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';

/** A server that only reads, and one that may write. */
export const BASE = process.env.TABIYA_PAGE ?? 'http://127.0.0.1:7901';
export const WRITABLE = process.env.TABIYA_PAGE_WRITABLE ?? BASE;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
after(() => browser.close());

export const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
  desktop: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
};

/**
 * Runs a test in a fresh page, and fails it for errors in the console and for requests that leave the machine.
 * @param {string} name
 * @param {object} context
 * @param {(page: import('playwright-core').Page) => Promise<void>} body
 */
export function inPage(name, context, body) {
  test(name, { timeout: 60_000 }, async () => {
    const opened = await browser.newContext({
      baseURL: BASE,
      acceptDownloads: true,
      reducedMotion: 'reduce',
      ...context,
    });
    opened.setDefaultTimeout(10_000);
    const page = await opened.newPage();
    const problems = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (!['127.0.0.1', 'localhost'].includes(url.hostname) && !['data:', 'blob:'].includes(url.protocol))
        problems.push(`request to ${url}`);
    });
    try {
      await body(page);
      assert.deepEqual(
        problems.filter((problem) => !expected(page, problem)),
        [],
        'problems on the page',
      );
    } catch (error) {
      if (process.env.TABIYA_SHOTS)
        await page.screenshot({
          path: `${process.env.TABIYA_SHOTS}/failed-${name.replace(/\W+/g, '-')}.png`,
        });
      throw error;
    } finally {
      await opened.close();
    }
  });
}

/** Tests about refusals expect the console to mention them. */
const expectations = new WeakMap();
export const expectProblem = (page, pattern) => expectations.set(page, pattern);
const expected = (page, problem) => expectations.get(page)?.test(problem) ?? false;

/** The same test on a phone in the dark, and on a desktop in the light. */
export function everywhere(name, body) {
  for (const [size, context] of Object.entries(SIZES))
    inPage(`${name} (${size})`, context, (page) => body(page, size));
}

export const square = (page, name) => page.locator(`.explore .cell[data-square="${name}"]`);

/** Waits until the board knows its moves. */
export const ready = (page) => page.locator('.explore .cell.movable').first().waitFor();

/** Plays by clicks. */
export async function play(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

export async function pieceOn(page, name) {
  return square(page, name).getAttribute('data-piece');
}

/** Waits until a value is as wanted. */
export async function becomes(read, wanted, words) {
  const end = Date.now() + 8000;
  let value;
  do {
    value = await read();
    if (value === wanted || (wanted instanceof RegExp && wanted.test(value))) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  } while (Date.now() < end);
  assert.equal(value, wanted, words);
}

export const query = (page) => Object.fromEntries(new URL(page.url()).searchParams);
