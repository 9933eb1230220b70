import assert from 'node:assert/strict';
import { becomes, everywhere, inPage, pieceOn, query, SIZES } from './harness.js';

/** Opens a sample by its players, whatever its number is. */
async function open(page, white, black) {
  await page.goto(`/?view=search&search=1&white=${white}&black=${black}`);
  await page.locator('.search .games tbody a').first().click();
  await page.locator('.game-head .players').waitFor();
}
const current = (page) => page.locator('.explore .moves [aria-current] .san').textContent();

everywhere('a game opens by a click, with the position on the board', async (page) => {
  await page.goto('/?play=b2b3');
  await page.locator('.explore .games tbody tr').first().locator('.result').click();
  await becomes(() => page.locator('.game-head .players').textContent(), /Larsen, Bent.*0–1.*Spassky, Boris/);
  assert.equal(await current(page), 'b3');
  assert.equal(await pieceOn(page, 'b3'), 'P');
  await page.goBack();
  await becomes(() => page.locator('.game-head').isVisible(), false);
});

everywhere('a game shows variations, signs, comments, clocks and evaluations', async (page) => {
  await open(page, 'larsen', 'spassky');
  const moves = page.locator('.explore .moves');
  const text = await moves.textContent();
  assert.match(text, /A first-board game lost in 17 moves/);
  assert.match(text, /Nf3\?!−0\.302:25:59/);
  assert.ok((await moves.locator('.variation .variation').count()) > 0, 'nested variations');
  assert.equal(await moves.locator('> .result').textContent(), '0-1');
  await moves.locator('.variation .move').first().click();
  assert.equal(await current(page), 'e3');
  assert.match(query(page).path, /^7\.0\.1$/);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await current(page), 'Nf6');
});

everywhere('the graph shows evaluations and clocks, and leads through the game', async (page) => {
  await open(page, 'larsen', 'spassky');
  const slider = page.getByRole('slider');
  assert.ok(await slider.locator('path.evaluation').count());
  assert.equal(await slider.locator('path.time').count(), 2);
  await slider.focus();
  await page.keyboard.press('End');
  assert.equal(await slider.getAttribute('aria-valuenow'), await slider.getAttribute('aria-valuemax'));
  await slider.click({ position: { x: 2, y: 40 } });
  assert.equal(await slider.getAttribute('aria-valuenow'), '0');
});

everywhere('arrows and coloured squares are drawn', async (page) => {
  await open(page, 'anderssen', 'dufresne');
  for (let ply = 0; ply < 47 && !(await page.locator('.explore .arrow').count()); ply++)
    await page.keyboard.press('ArrowRight');
  assert.ok((await page.locator('.explore .arrow').count()) > 0, 'arrows');
  await page.keyboard.press('Home');
  for (let ply = 0; ply < 47 && !(await page.locator('.explore .cell[data-colour]').count()); ply++)
    await page.keyboard.press('ArrowRight');
  assert.ok((await page.locator('.explore .cell[data-colour]').count()) > 0, 'squares');
});

everywhere('a move that the game does not have leaves it, and "back" returns', async (page) => {
  await open(page, 'larsen', 'spassky');
  const opened = query(page).game;
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.locator('.explore .cell.movable').first().waitFor();
  await page.locator('.move-field').fill('d5');
  await page.keyboard.press('Enter');
  await becomes(() => pieceOn(page, 'd5'), 'p');
  assert.equal(query(page).game, undefined);
  assert.equal(query(page).play, 'b2b3,d7d5');
  await page.goBack();
  await becomes(() => query(page).game, opened);
});

everywhere('a link to a place in a variation can be shared', async (page) => {
  await open(page, 'larsen', 'spassky');
  const { game } = query(page);
  await page.goto(`/?game=${game}&path=11.0.5.0.2`);
  await becomes(() => current(page), 'Bg4');
});

everywhere('Chess960 games and games from set-up positions play through', async (page) => {
  await page.goto('/?view=search&search=1&event=chess960');
  await page.locator('.search .games tbody a').first().click();
  await page.locator('.game-head .players').waitFor();
  await page.keyboard.press('End');
  const moves = await page.locator('.explore .moves .san').allTextContents();
  assert.ok(moves.includes('O-O-O') && moves.includes('O-O'), moves.join(' '));
  assert.equal(await page.locator('.explore .problem').count(), 0);
});

inPage('other tags are there, and the game can be saved', SIZES.desktop, async (page) => {
  await open(page, 'larsen', 'spassky');
  await page.locator('.tags summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.tags a[download]').click(),
  ]);
  assert.match(download.suggestedFilename(), /\.pgn$/);
});

inPage('from the start to a game and through it by the keyboard alone', SIZES.desktop, async (page) => {
  const tabTo = async (selector) => {
    for (let stop = 0; stop < 80; stop++) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`the Tab key does not lead to ${selector}`);
  };
  await page.goto('/');
  await tabTo('#nav a[data-view="search"]');
  await page.keyboard.press('Enter');
  await tabTo('.search input[name="player"]');
  await page.keyboard.type('anderssen');
  await page.keyboard.press('Enter');
  await page.locator('.search .games tbody tr').first().waitFor();
  await tabTo('.search .games tbody a');
  await page.keyboard.press('Enter');
  await page.locator('.game-head .players').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await current(page), 'e5');
  assert.equal(await page.locator('#live').textContent(), 'Black e5');
  await tabTo('.explore .cell');
  await page.keyboard.press('f');
  assert.equal(query(page).flip, '1');
  assert.match(await page.title(), /Anderssen/);
});

everywhere('clocks and evaluations can be left out, and stay out', async (page) => {
  await open(page, 'larsen', 'spassky');
  assert.ok(await page.locator('.moves .clock').first().isVisible());
  await page.getByLabel('Clocks and evaluations').uncheck();
  assert.equal(await page.locator('.moves .clock').first().isVisible(), false);
  await page.reload();
  await page.locator('.moves .move').first().waitFor();
  assert.equal(await page.locator('.moves .clock').first().isVisible(), false);
});
