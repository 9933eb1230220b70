import assert from 'node:assert/strict';
import {
  becomes,
  everywhere,
  expectProblem,
  inPage,
  pieceOn,
  query,
  ready,
  SIZES,
  square,
} from './harness.js';

const rows = (page) => page.locator('.explore .tree tbody tr');
const games = (page) => page.locator('.explore .games tbody tr');

everywhere('the tree has bars, both counts and names', async (page, size) => {
  await page.goto('/?play=e2e4');
  await rows(page).first().waitFor();
  const row = page.locator('.tree tr[data-uci="c7c5"]');
  assert.match(await row.locator('.played').textContent(), /^\d+/);
  assert.match(await row.locator('.reached').textContent(), /^\d+$/);
  assert.match(
    await row.locator('.bar').getAttribute('aria-label'),
    /White wins \d+%, draws \d+%, Black wins \d+%/,
  );
  assert.match(await row.locator('.name').textContent(), /c5.*(Sicilian|Defence)/);
  assert.equal(await page.locator('.tree .year').first().isVisible(), size === 'desktop');
});

everywhere('a click on a move of the tree plays it, and "back" takes it back', async (page) => {
  await page.goto('/');
  await page.locator('.tree tr[data-uci="e2e4"] .results').click();
  assert.equal(await pieceOn(page, 'e4'), 'P');
  await page.locator('.tree tr[data-uci="c7c5"] a').click();
  await becomes(() => pieceOn(page, 'c5'), 'p');
  assert.equal(query(page).play, 'e2e4,c7c5');
  assert.deepEqual(await page.locator('.explore .moves .san').allTextContents(), ['e4', 'c5']);
  await page.goBack();
  await becomes(() => pieceOn(page, 'c5'), '');
  assert.equal(await pieceOn(page, 'e4'), 'P');
  await page.goForward();
  await becomes(() => pieceOn(page, 'c5'), 'p');
});

inPage('the next position is painted in the same task as the click', SIZES.desktop, async (page) => {
  await page.goto('/');
  await rows(page).first().waitFor();
  await ready(page);
  const took = await page.evaluate(() => {
    const start = performance.now();
    document.querySelector('.tree tr[data-uci="e2e4"] a').click();
    const painted = document.querySelector('.cell[data-square="e4"]').dataset.piece === 'P';
    return painted ? performance.now() - start : Infinity;
  });
  assert.ok(took < 50, `${took} ms`);
});

inPage('the first paint follows the page soon, even on a busy machine', SIZES.desktop, async (page) => {
  const times = [];
  for (let turn = 0; turn < 5; turn++) {
    await page.goto('/');
    await ready(page);
    times.push(
      await page.evaluate(() => {
        const answered = performance.getEntriesByType('navigation')[0].responseEnd;
        return performance.getEntriesByName('first-contentful-paint')[0].startTime - answered;
      }),
    );
  }
  console.log(`first paint after ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
  assert.ok(Math.min(...times) < 300, `${times} ms`);
});

everywhere('a shared link shows the same line', async (page) => {
  await page.goto('/?play=d2d4,g8f6,c2c4,e7e6&at=3&flip=1');
  await becomes(() => pieceOn(page, 'c4'), 'P');
  assert.equal(await pieceOn(page, 'e6'), '');
  assert.deepEqual(await page.locator('.explore .moves .san').allTextContents(), ['d4', 'Nf6', 'c4', 'e6']);
  assert.equal(await page.locator('.explore .moves [aria-current] .san').textContent(), 'c4');
  assert.equal(await page.locator('.explore .cell').first().getAttribute('data-square'), 'h1');
});

everywhere('filters change the tree and the games, and can be taken off', async (page) => {
  await page.goto('/');
  await games(page).first().waitFor();
  const all = await games(page).count();
  await page.locator('.filters summary').click();
  await page.locator('.filters input[name="player"]').fill('fischer');
  await page.locator('.filters').getByRole('button', { name: 'Apply' }).click();
  await becomes(async () => (await games(page).count()) < all, true, 'fewer games');
  const names = await games(page).allTextContents();
  assert.ok(names.length > 2 && names.every((name) => /Fischer/.test(name)), names.join());
  assert.equal(query(page).player, 'fischer');
  await page.locator('.chip').click();
  await becomes(() => games(page).count(), all);
  assert.equal(query(page).player, undefined);
});

everywhere('games are sorted by date', async (page) => {
  await page.goto('/');
  await games(page).first().waitFor();
  await page.locator('.explore .games select').selectOption('date');
  await becomes(() => games(page).first().textContent(), /Aronian/);
  const years = (await page.locator('.explore .games td.date').allTextContents())
    .map((date) => date.slice(0, 4))
    .filter(Boolean);
  assert.deepEqual(years, [...years].sort().reverse());
});

everywhere('the games are those of the position', async (page) => {
  await page.goto('/?play=e2e4,c7c5');
  await becomes(() => page.locator('.explore .games .total').textContent(), /^\d+ games$/);
  const reached = await page.locator('.tree tfoot .reached').textContent();
  assert.equal(await page.locator('.explore .games .total').textContent(), `${reached} games`);
});

inPage(
  'stepping fast asks for the position where the reader stops, and for few others',
  SIZES.desktop,
  async (page) => {
    await page.goto('/?play=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6&at=0');
    await rows(page).first().waitFor();
    let asked = 0;
    page.on('request', (request) => (asked += Number(request.url().includes('/api/tree'))));
    await page.evaluate(() => {
      for (let step = 0; step < 8; step++)
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    });
    await becomes(() => pieceOn(page, 'f6'), 'n');
    await page.waitForTimeout(400);
    assert.ok(asked <= 3, `${asked} questions`);
  },
);

everywhere('a bad position in the address is told in words', async (page) => {
  expectProblem(page, /400/);
  await page.goto('/?fen=rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  await becomes(() => page.locator('.tree .problem').textContent(), /fen|FEN/);
  await page.goto('/?play=e2e5');
  await becomes(() => page.locator('.status').textContent(), /e2e5/);
});

everywhere('a position that no game has says so', async (page) => {
  await page.goto('/?play=a2a4,a7a5,h2h4');
  await becomes(() => page.locator('.tree .hint').textContent(), /No game/);
  assert.ok(await square(page, 'h4').isVisible());
});

everywhere('a FEN that is pasted shows its position and its games', async (page) => {
  await page.goto('/');
  await ready(page);
  await page.locator('.place .fen').fill('r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3');
  await page.keyboard.press('Enter');
  await becomes(() => pieceOn(page, 'b5'), 'B');
  assert.match(query(page).fen, /1B2p3/);
  await becomes(() => page.locator('.explore .games .total').textContent(), /^\d games?$/);
});

inPage('the Enter key goes on down the tree', SIZES.desktop, async (page) => {
  await page.goto('/');
  await rows(page).first().waitFor();
  await page.locator('.tree tbody a').first().focus();
  for (const plies of [1, 2, 3]) {
    await page.keyboard.press('Enter');
    await becomes(() => page.locator('.explore .moves .san').count(), plies);
    await becomes(() => page.locator('.waiting').count(), 0);
    await becomes(
      () => page.evaluate(() => !!document.activeElement.closest('.tree tbody')),
      true,
      'the focus stays in the tree',
    );
  }
});

inPage('a question whose answer nobody waits for any more is called off', SIZES.desktop, async (page) => {
  await page.goto('/');
  await rows(page).first().waitFor();
  await ready(page);
  const failed = [];
  page.on('requestfailed', (request) => failed.push(request.url()));
  await page.route(/api\/tree/, async (route) => {
    if (!route.request().url().includes('c7c5')) await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => {});
  });
  await page.locator('.tree tr[data-uci="e2e4"] a').click();
  await ready(page);
  await page.waitForTimeout(200);
  await page.locator('.move-field').fill('c5');
  await page.keyboard.press('Enter');
  await becomes(() => page.locator('.waiting').count(), 0);
  assert.ok(
    failed.some((url) => /tree.*e2e4$/.test(url)),
    failed.join(),
  );
  assert.match(await page.locator('.tree tbody').textContent(), /Nf3/);
});
