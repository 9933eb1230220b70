import assert from 'node:assert/strict';
import { becomes, everywhere, expectProblem, inPage, query, SIZES } from './harness.js';

everywhere('a player is found and has years, openings and opponents', async (page) => {
  await page.goto('/?view=player');
  assert.ok((await page.locator('.names a').first().textContent()) !== '');
  await page.getByRole('searchbox').fill('fisch');
  await becomes(() => page.locator('.names a').first().textContent(), 'Fischer, Robert James');
  await page.locator('.names a').first().click();
  await becomes(() => page.locator('.dossier h1').textContent(), 'Fischer, Robert James');
  assert.equal(query(page).name, 'Fischer, Robert James');
  assert.ok(await page.locator('.chart rect.games').count());
  assert.match(await page.locator('.chart').getAttribute('aria-label'), /Games by year, 19\d\d to 19\d\d/);
  assert.match(
    await page.locator('.dossier').textContent(),
    /Openings with White.*Openings with Black.*Opponents.*Spassky/,
  );
});

everywhere('the tree of a player with Black is seen from his side', async (page) => {
  await page.goto('/?view=player&name=Fischer, Robert James');
  await page.getByRole('link', { name: 'Tree with Black' }).click();
  await page.locator('.tree tbody tr').first().waitFor();
  assert.equal(query(page).black, '"Fischer, Robert James"');
  assert.equal(await page.locator('.explore .cell').first().getAttribute('data-square'), 'h1');
});

everywhere('an opening has a board, results, years and players', async (page) => {
  await page.goto('/?view=opening');
  await page.locator('#opening-code').fill('c41');
  await page.keyboard.press('Enter');
  await becomes(() => page.locator('.dossier h1').textContent(), /^C41 \w+/);
  assert.ok(await page.locator('.opening-board .piece').count());
  assert.ok(await page.locator('.dossier .bar').count());
  assert.ok(await page.locator('.chart rect.games').count());
  await page.getByRole('link', { name: 'Explore', exact: true }).last().click();
  await page.locator('.explore .tree').waitFor();
});

inPage('who is not there is said to be not there', SIZES.desktop, async (page) => {
  expectProblem(page, /404/);
  await page.goto('/?view=player&name=Nobody');
  await becomes(() => page.locator('.dossier .problem').textContent(), /.+/);
});
