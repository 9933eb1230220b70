import assert from 'node:assert/strict';
import { becomes, everywhere, inPage, pieceOn, play, query, ready, SIZES, square } from './harness.js';

everywhere('a click on a piece shows where it may go, and a click there plays', async (page) => {
  await page.goto('/');
  await ready(page);
  await square(page, 'g1').click();
  const targets = await page
    .locator('.explore .cell.target')
    .evaluateAll((cells) => cells.map((cell) => cell.dataset.square).sort());
  assert.deepEqual(targets, ['f3', 'h3']);
  await square(page, 'f3').click();
  assert.equal(await pieceOn(page, 'f3'), 'N');
  assert.equal(await pieceOn(page, 'g1'), '');
  assert.equal(query(page).play, 'g1f3');
});

everywhere('a click beside the legal squares takes the choice back', async (page) => {
  await page.goto('/');
  await ready(page);
  await square(page, 'g1').click();
  await square(page, 'e5').click();
  assert.equal(await page.locator('.cell.target').count(), 0);
  await square(page, 'g1').click();
  await square(page, 'g1').click();
  assert.equal(await page.locator('.cell.selected').count(), 0);
  assert.equal(query(page).play, undefined);
});

inPage('a piece can be dragged, and one that is dropped elsewhere goes back', SIZES.desktop, async (page) => {
  await page.goto('/');
  await ready(page);
  const middle = async (name) => {
    const box = await square(page, name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up();
  };
  await drag('e2', 'e5');
  assert.equal(await pieceOn(page, 'e2'), 'P');
  await drag('e2', 'e4');
  assert.equal(await pieceOn(page, 'e4'), 'P');
  assert.equal(query(page).play, 'e2e4');
});

inPage('the keyboard alone moves pieces, and a screen reader hears it', SIZES.desktop, async (page) => {
  await page.goto('/');
  await ready(page);
  await square(page, 'e2').focus();
  assert.match(await square(page, 'e2').getAttribute('aria-label'), /e2, white pawn/);
  await page.keyboard.press('Enter');
  assert.equal(await square(page, 'e4').getAttribute('aria-description'), 'legal move');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  assert.equal(await pieceOn(page, 'e4'), 'P');
  assert.equal(await page.locator('#live').textContent(), 'White e4');
  // The board has one stop of the Tab key, whatever was done.
  assert.equal(await page.locator('.explore .cell[tabindex="0"]').count(), 1);
});

inPage(
  'keys step through the line, turn the board and lead to the field for moves',
  SIZES.desktop,
  async (page) => {
    await page.goto('/?play=e2e4,e7e5,g1f3');
    await becomes(() => pieceOn(page, 'f3'), 'N');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await pieceOn(page, 'f3'), '');
    await page.keyboard.press('Home');
    assert.equal(await pieceOn(page, 'e4'), '');
    assert.equal(query(page).at, '0');
    await page.keyboard.press('End');
    assert.equal(await pieceOn(page, 'f3'), 'N');
    // Letters are for who is at the board.
    await page.keyboard.press('f');
    assert.equal(query(page).flip, undefined);
    await page.locator('.explore .cell[tabindex="0"]').focus();
    await page.keyboard.press('f');
    assert.equal(await page.locator('.explore .cell').first().getAttribute('data-square'), 'h1');
    await page.keyboard.press('m');
    await ready(page);
    await page.keyboard.type('nc6');
    await page.keyboard.press('Enter');
    await becomes(() => pieceOn(page, 'c6'), 'n');
    await page.keyboard.type('Ke7');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.move-field').getAttribute('aria-invalid'), 'true');
  },
);

everywhere('a pawn that reaches the end may become any of four pieces', async (page) => {
  await page.goto('/?fen=8/P7/8/3pP3/8/8/8/k1K5 w - d6 0 1');
  await ready(page);
  await play(page, 'a7', 'a8');
  const choices = page.locator('dialog.promotion button');
  assert.deepEqual(await choices.evaluateAll((buttons) => buttons.map((button) => button.ariaLabel)), [
    'queen',
    'knight',
    'rook',
    'bishop',
  ]);
  await page.keyboard.press('Escape');
  assert.equal(await pieceOn(page, 'a7'), 'P');
  await play(page, 'a7', 'a8');
  await page.getByRole('button', { name: 'knight' }).click();
  await becomes(() => pieceOn(page, 'a8'), 'N');
  assert.equal(query(page).play, 'a7a8n');
});

everywhere('castling is a move of the king, in Chess960 too', async (page) => {
  await page.goto('/?fen=4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  await ready(page);
  await play(page, 'e1', 'g1');
  await becomes(() => pieceOn(page, 'f1'), 'R');
  assert.equal(await pieceOn(page, 'g1'), 'K');
  await page.goto('/?fen=4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1');
  await ready(page);
  // The king may be sent to his rook, or to the square where he ends, if no plain move goes there.
  await play(page, 'd1', 'g1');
  await becomes(() => pieceOn(page, 'f1'), 'R');
  assert.equal(await pieceOn(page, 'g1'), 'K');
});

everywhere('the board turns round', async (page) => {
  await page.goto('/');
  await ready(page);
  await page.getByRole('button', { name: /Flip/ }).click();
  assert.equal(await page.locator('.explore .cell').first().getAttribute('data-square'), 'h1');
  assert.equal(query(page).flip, '1');
  await play(page, 'e2', 'e4');
  assert.equal(await pieceOn(page, 'e4'), 'P');
});

everywhere('a check and a mate are shown', async (page) => {
  await page.goto('/?play=f2f3,e7e5,g2g4,d8h4');
  await becomes(
    async () => (await page.locator('.explore .cell.check').getAttribute('data-square')) ?? '',
    'e1',
  );
  await becomes(() => page.locator('.status').textContent(), /checkmate/i);
});

inPage('a finger drags a piece without scrolling the page', SIZES.phone, async (page) => {
  await page.goto('/');
  await ready(page);
  const finger = await page.context().newCDPSession(page);
  const at = async (name) => {
    const box = await square(page, name).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await at('d2'), await at('d4')];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (const share of [0.3, 0.6, 1]) {
    const point = { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await becomes(() => pieceOn(page, 'd4'), 'P');
  assert.equal(await page.evaluate(() => scrollY), 0);
});
