import assert from 'node:assert/strict';
import { becomes, everywhere, expectProblem, pieceOn, query, ready } from './harness.js';

const found = (page) => page.locator('.search .games tbody tr');
const total = (page) => page.locator('.search .games .total').textContent();
const put = async (page, piece, square) => {
  await page.getByRole('radio', { name: piece, exact: true }).check({ force: true });
  await page.locator(`.editor .cell[data-square="${square}"]`).click();
};

everywhere('headers are searched, and the answer can be shared', async (page) => {
  await page.goto('/?view=search');
  await page.locator('.headers input[name="player"]').fill('Reti');
  await page.locator('.headers select[name="result"]').selectOption('1-0');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await becomes(() => total(page), '2 games');
  assert.deepEqual(
    { player: query(page).player, result: query(page).result },
    { player: 'Reti', result: '1-0' },
  );
  await page.reload();
  await becomes(() => total(page), '2 games');
  assert.equal(await page.locator('.headers input[name="player"]').inputValue(), 'Reti');
});

everywhere('players are proposed while a name is typed', async (page) => {
  await page.goto('/?view=search');
  await page.locator('.headers input[name="player"]').pressSequentially('kasp');
  await becomes(
    () => page.locator('.headers datalist option').first().getAttribute('value'),
    'Kasparov, Garry',
  );
});

everywhere('material, a pattern, pawns and a manoeuvre are searched', async (page) => {
  for (const [name, value, wanted] of [
    ['material', 'opposite-bishops', /[1-9]\d* games?/],
    ['pattern', 'Bh7 kg8', /[1-9]\d* games?/],
    ['pawns', 'iqp:black', /[1-9]\d* games?/],
    ['manoeuvre', 'Ng1-f3-e5-c6', /[1-9]\d* games?/],
  ]) {
    await page.goto('/?view=search');
    await page.locator(`.conditions input[name="${name}"]`).fill(value);
    await page.keyboard.press('Enter');
    await becomes(() => total(page), wanted, name);
    assert.ok((await found(page).count()) < 49, `${name} finds some, not all`);
  }
});

everywhere('a game that is found opens where it was found', async (page) => {
  await page.goto('/?view=search&search=1&manoeuvre=Ng1-f3-e5-c6');
  await found(page).filter({ hasText: 'Paulsen' }).locator('a').click();
  await becomes(() => page.locator('.game-head .players').textContent(), /Paulsen/);
  assert.equal(query(page).path, '13');
  await becomes(() => pieceOn(page, 'c6'), 'N');
});

everywhere('a board that is set up by hand is found exactly, and explored', async (page) => {
  await page.goto('/?view=search');
  await put(page, 'white king', 'b6');
  await put(page, 'white pawn', 'c6');
  await put(page, 'black rook', 'd5');
  await page.getByRole('button', { name: 'Find exactly this' }).click();
  assert.match(await page.locator('.setup .problem').textContent(), /both kings/);
  await put(page, 'black king', 'a1');
  assert.equal(await page.locator('.fen').inputValue(), '8/8/1KP5/3r4/8/8/8/k7 w - - 0 1');
  await page.getByRole('button', { name: 'Find exactly this' }).click();
  await becomes(() => total(page), '1 game');
  assert.match(await found(page).first().textContent(), /Saavedra/);
  await page.getByRole('button', { name: 'Explore it' }).click();
  await ready(page);
  await becomes(() => pieceOn(page, 'd5'), 'r');
  await becomes(() => page.locator('.tree tbody .name').first().textContent(), /^c7/);
});

everywhere('a pattern with wildcards is set up by hand', async (page) => {
  await page.goto('/?view=search');
  await put(page, 'white bishop', 'h7');
  await put(page, 'black king', 'g8');
  await put(page, 'any black piece', 'f8');
  await put(page, 'nothing', 'h8');
  await page.getByRole('button', { name: 'Find as a pattern' }).click();
  assert.equal(query(page).pattern, '5ak_/7B/8/8/8/8/8/8');
  await becomes(() => total(page), /^[1-9]\d? games?$/);
});

everywhere('what cannot be searched is told in words', async (page) => {
  expectProblem(page, /400/);
  await page.goto('/?view=search&search=1&material=KXK');
  await becomes(() => page.locator('.search .games .problem').textContent(), /material|KXK/);
});
