import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { becomes, everywhere, expectProblem, inPage, SIZES, WRITABLE } from './harness.js';

const HOSTILE = `[Event "<img src=x onerror=alert(1)>"]
[Site "javascript:alert(1)"]
[Date "2024.01.01"]
[Round "<script>alert(2)</script>"]
[White "<b>Hostile</b>"]
[Black "\\"onmouseover=alert(3)"]
[Result "1-0"]
[Tag "</dd><iframe src='https://example.org'>"]

1. Nh3 {<svg onload=alert(4)>} Nh6 2. Ng5 ({<a href="https://example.org">x</a>} 2. Nf4) 1-0
`;

everywhere('what is listed is saved as PGN, CBH and si5', async (page) => {
  await page.goto('/?view=search&search=1&player=fischer');
  for (const [format, starts] of [
    ['PGN', '[Event'],
    ['CBH', null],
    ['SI5', null],
  ]) {
    const link = page.locator('.search .exports').getByRole('link', { name: format, exact: true });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const bytes = await readFile(await download.path());
    assert.ok(bytes.length > 500, `${format}: ${bytes.length} bytes as ${download.suggestedFilename()}`);
    if (starts) assert.ok(bytes.toString().startsWith(starts));
    if (starts) assert.equal(bytes.toString().match(/\[White /g).length, 5);
    assert.match(download.suggestedFilename(), /\.(pgn|cbv|zip)$/);
    await becomes(() => page.locator('.toast').textContent(), /is saved/);
  }
});

inPage('why something is not saved is told in words', SIZES.desktop, async (page) => {
  expectProblem(page, /400|503/);
  await page.goto('/?view=search&search=1&player=fischer');
  await page.route(/api\/export/, (route) =>
    route.fulfill({ status: 503, json: { error: 'too many exports at once' } }),
  );
  await page.locator('.search .exports').getByRole('link', { name: 'PGN', exact: true }).click();
  await becomes(() => page.locator('.toast').textContent(), 'Not saved: too many exports at once');
});

inPage('a server that only reads takes no files', SIZES.desktop, async (page) => {
  await page.goto('/');
  await becomes(() => page.locator('#database').textContent(), /\d+ games/);
  assert.equal(await page.locator('#add-files').count(), 0);
});

inPage(
  'a file dropped on the page is added, and hostile texts stay texts',
  { ...SIZES.desktop, baseURL: WRITABLE },
  async (page) => {
    await page.goto('/');
    await becomes(() => page.locator('#database').textContent(), /\d+ games/);
    const before = Number((await page.locator('#database').textContent()).match(/(\d+) games/)[1]);
    await page.evaluate((text) => {
      const carried = new DataTransfer();
      carried.items.add(new File([text], 'hostile.pgn'));
      dispatchEvent(new DragEvent('dragover', { dataTransfer: carried }));
      if (document.querySelector('.veil').hidden) throw new Error('no veil');
      dispatchEvent(new DragEvent('drop', { dataTransfer: carried }));
    }, HOSTILE);
    await becomes(() => page.locator('.toast').textContent(), /hostile\.pgn: 1 games? added/);
    await becomes(() => page.locator('#database').textContent(), new RegExp(`${before + 1} games`));
    await page.goto('/?play=g1h3');
    const row = page.locator('.explore .games tbody tr').first();
    await becomes(() => row.locator('.white').textContent(), '<b>Hostile</b>');
    await row.locator('a').click();
    await becomes(() => page.locator('.game-head .players').textContent(), /<b>Hostile<\/b>/);
    await page.locator('.tags summary').click();
    assert.match(await page.locator('.tags').textContent(), /<\/dd><iframe/);
    assert.match(await page.locator('.explore .moves').textContent(), /<svg onload=alert\(4\)>/);
    assert.equal(await page.locator('main :is(img, script, iframe, svg[onload])').count(), 0);
  },
);

inPage(
  'a file is chosen with the keyboard, and what is no game is refused',
  { ...SIZES.desktop, baseURL: WRITABLE },
  async (page) => {
    await page.goto('/');
    await page.locator('#add-files').setInputFiles({
      name: 'two.pgn',
      mimeType: 'text/plain',
      buffer: Buffer.from(
        '[White "A"]\n[Black "B"]\n\n1. a3 a6 1/2-1/2\n\n[White "C"]\n[Black "D"]\n\n1. a3 h6 0-1\n',
      ),
    });
    await becomes(() => page.locator('.toast').textContent(), /two\.pgn: 2 games added/);
  },
);

inPage(
  'a game whose variations have no bottom is shown as far as anybody reads',
  { ...SIZES.desktop, baseURL: WRITABLE },
  async (page) => {
    const depth = 3000;
    const deep = `[White "Bottomless"]\n[Black "Well"]\n\n1. h4 ${'(1. a4 (1. b4 '.repeat(depth / 2)}${')'.repeat(depth)} h5 1/2-1/2\n`;
    await page.goto('/');
    await page
      .locator('#add-files')
      .setInputFiles({ name: 'deep.pgn', mimeType: 'text/plain', buffer: Buffer.from(deep) });
    await becomes(() => page.locator('.toast').textContent(), /deep\.pgn: 1 game added/);
    await page.goto('/?view=search&search=1&white=bottomless');
    await page.locator('.search .games tbody a').first().click();
    await becomes(
      () => page.locator('.explore .moves .comment').textContent(),
      /the PGN of the game has more/,
    );
    await page.locator('.explore .moves .move').last().click();
    assert.equal(await page.locator('.explore .moves [aria-current] .san').textContent(), 'h5');
  },
);

inPage(
  'games that somebody else adds are seen without a reload',
  { ...SIZES.desktop, baseURL: WRITABLE },
  async (page) => {
    await page.goto('/');
    await becomes(() => page.locator('#database').textContent(), /\d+ games/);
    const before = await page.locator('#database').textContent();
    const game = '[White "Somebody"]\n[Black "Else"]\n\n1. f3 f6 *\n';
    const answer = await fetch(`${WRITABLE}/api/import?name=other.pgn`, { method: 'POST', body: game });
    assert.equal(answer.status, 200);
    await becomes(
      async () => (await page.locator('#database').textContent()) !== before,
      true,
      'the number changes',
    );
    await becomes(() => page.locator('.tree tr[data-uci="f2f3"]').count(), 1);
  },
);
