// Every view, at both sizes, light and dark: nothing for axe to find, nothing wider than the screen.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { becomes, expectProblem, inPage, SIZES } from './harness.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = {
  start: '/',
  line: '/?play=e2e4,c7c5,g1f3&player=kasparov',
  game: '/?game=9&path=20',
  drawn: '/?game=1&path=7',
  search: '/?view=search&search=1&player=fischer&manoeuvre=Ng1-f3',
  players: '/?view=player',
  player: '/?view=player&name=Fischer, Robert James',
  opening: '/?view=opening&code=C41',
};
/** What shows that a view is there. */
const SHOWS = {
  search: '.search .games tbody tr',
  players: '.names li',
  player: '.dossier h1',
  opening: '.dossier h1',
};

for (const [size, context] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [view, path] of Object.entries(VIEWS)) {
      // Playwright must get around the page's own policy to put axe into it.
      inPage(
        `${view}, ${size}, ${colorScheme}: axe finds nothing and nothing sticks out`,
        { ...context, colorScheme, bypassCSP: true },
        async (page) => {
          await page.goto(path);
          await becomes(() => page.locator('#database').textContent(), /games/);
          await page
            .locator(SHOWS[view] ?? '.explore .games tbody tr')
            .first()
            .waitFor();
          await becomes(() => page.locator('.waiting').count(), 0);
          if (process.env.TABIYA_SHOTS)
            await page.screenshot({
              path: `${process.env.TABIYA_SHOTS}/${view}-${size}-${colorScheme}.png`,
              fullPage: size === 'phone',
            });
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() =>
            window.axe.run(document, { resultTypes: ['violations'] }),
          );
          const findings = violations.map(
            ({ id, help, nodes }) =>
              `${id}: ${help}: ${nodes
                .slice(0, 3)
                .map((node) => `${node.html} (${node.any[0]?.message ?? ''})`)
                .join(' | ')}`,
          );
          assert.deepEqual(findings, []);
          const [wide, screen] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            innerWidth,
          ]);
          assert.ok(wide <= screen, `${wide} pixels wide on a screen of ${screen}`);
        },
      );
    }
  }
}

inPage('the switch turns dark and light, and is remembered', SIZES.desktop, async (page) => {
  await page.goto('/');
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.locator('#theme').click();
  const dark = await ground();
  assert.notEqual(dark, light);
  assert.equal(await page.locator('#theme').getAttribute('aria-pressed'), 'true');
  await page.reload();
  assert.equal(await ground(), dark);
});

inPage('the policy of the server lets no inline script run', SIZES.desktop, async (page) => {
  expectProblem(page, /Content Security Policy/);
  const answer = await page.goto('/');
  assert.match(answer.headers()['content-security-policy'], /default-src 'self'/);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    return window.ran ?? false;
  });
  assert.equal(ran, false);
});

inPage(
  'the Tab key reaches everything in the order of the page, and shows where it is',
  SIZES.desktop,
  async (page) => {
    await page.goto('/?play=e2e4');
    await page.locator('.explore .games tbody tr').first().waitFor();
    const reached = [];
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const element = document.activeElement;
          const seen = getComputedStyle(element).outlineStyle !== 'none' || element.matches('.hidden-input');
          return `${seen ? '' : 'unseen '}${element.className || element.tagName} ${element.textContent.slice(0, 12)}`;
        }),
      );
    }
    const all = reached.join('\n');
    for (const wanted of ['skip', 'Explore', 'cell', 'move-field', 'move ', 'Filters', 'c5', 'McDonnell'])
      assert.ok(all.includes(wanted), `${wanted} in\n${all}`);
    assert.ok(!all.includes('unseen'), all);
  },
);
