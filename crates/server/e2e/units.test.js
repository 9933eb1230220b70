// What needs no browser: places in a tree of moves, boards in FENs, squares to click.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { SQUARES, START, kingOf, moveNumber, placement, placementText } from '../page/fen.js';
import { backward, follow, forward, lineEnd, locate, nodeAt, pathOf } from '../page/line.js';
import { targets } from '../page/targets.js';
import { typedMove } from '../page/typed.js';

const node = (uci, variations = []) => ({ ply: 0, uci, san: uci, fen: `after ${uci}`, variations });
// 1. e2e4 e7e5 (1... c7c5 2. g1f3 (2. b1c3)) 2. g1f3
const line = {
  fen: START,
  nodes: [node('e2e4'), node('e7e5', [[node('c7c5'), node('g1f3', [[node('b1c3')]])]]), node('g1f3')],
};
const at = (path) => locate(line, path);

test('a place in a variation of a variation is found, with the way there', () => {
  assert.deepEqual(
    at('2.0.2.0.1').trail.map(({ uci }) => uci),
    ['e2e4', 'c7c5', 'b1c3'],
  );
  assert.equal(pathOf(at('2.0.2.0.1')), '2.0.2.0.1');
});

test('a place that the line does not have is the last one that it has', () => {
  assert.equal(pathOf(at('99')), '3');
  assert.equal(pathOf(at('2.7.1')), '2');
  assert.equal(pathOf(at('2.0.99')), '2.0.2');
});

test('going back from the first move of a variation leads to the move before it', () => {
  assert.equal(backward(at('2.0.1')), '1');
  assert.equal(backward(at('2.0.2.0.1')), '2.0.1');
  assert.equal(backward(at('1')), '0');
  assert.equal(backward(at('0')), null);
});

test('forward stays in the line and stops at its end', () => {
  assert.equal(forward(at('0')), '1');
  assert.equal(forward(at('2.0.1')), '2.0.2');
  assert.equal(forward(at('3')), null);
  assert.equal(lineEnd(at('2.0.1')), '2.0.2');
});

test('a move is followed into the line or into a variation of it', () => {
  assert.equal(follow(at('1'), 'e7e5'), '2');
  assert.equal(follow(at('1'), 'c7c5'), '2.0.1');
  assert.equal(follow(at('2.0.1'), 'b1c3'), '2.0.2.0.1');
  assert.equal(follow(at('1'), 'a7a6'), null);
  assert.equal(nodeAt(at('0')), null);
});

test('a board in a FEN survives being taken apart and put together', () => {
  for (const fen of [START, '8/8/1KP5/3r4/8/8/8/k7 w - - 0 1', 'A_*a4/8/8/8/8/8/8/7k w - - 0 1']) {
    assert.equal(placementText(placement(fen)), fen.split(' ')[0]);
  }
  assert.equal(SQUARES.length, 64);
});

test('nonsense in place of a FEN is an odd board, not an error', () => {
  for (const fen of ['', '////////////', 'pppppppppppppppp/9/x', '♔']) assert.ok(placement(fen).size <= 64);
  assert.equal(moveNumber('8/8/8/8/8/8/8/8 w'), 1);
});

test('who castles by taking his rook may click on the square of the king, too', () => {
  const castling = { uci: 'e1h1', san: 'O-O', fen: '4k3/8/8/8/8/8/8/5RK1 b - - 1 1' };
  const found = targets([castling, { uci: 'e1f1', san: 'Kf1', fen: '' }]).get('e1');
  assert.deepEqual([...(found?.keys() ?? [])].sort(), ['f1', 'g1', 'h1']);
  assert.deepEqual(found?.get('g1'), [castling]);
  assert.equal(kingOf(placement(castling.fen), 'white'), 'g1');
});

test('a plain move of the king is not lost to castling that ends on the same square', () => {
  const castling = { uci: 'f1h1', san: 'O-O', fen: '4k3/8/8/8/8/8/8/5RK1 b - - 1 1' };
  const plain = { uci: 'f1g1', san: 'Kg1', fen: '4k3/8/8/8/8/8/8/6KR b - - 1 1' };
  assert.deepEqual(targets([plain, castling]).get('f1')?.get('g1'), [plain]);
});

test('a move is understood as people type it', () => {
  const legal = [
    { uci: 'g1f3', san: 'Nxf3+', fen: '' },
    { uci: 'b2c3', san: 'bxc3', fen: '' },
    { uci: 'd2c3', san: 'Bxc3', fen: '' },
    { uci: 'e1g1', san: 'O-O', fen: '' },
    { uci: 'a7a8q', san: 'a8=Q', fen: '' },
  ];
  const meant = (text) => typedMove(text, legal)?.uci;
  assert.deepEqual(['nf3', 'Nxf3', 'g1f3', ' Nf3! '].map(meant), ['g1f3', 'g1f3', 'g1f3', 'g1f3']);
  assert.deepEqual(['bc3', 'Bc3', '0-0', 'o-o', 'a8q', 'a8=Q'].map(meant), [
    'b2c3',
    'd2c3',
    'e1g1',
    'e1g1',
    'a7a8q',
    'a7a8q',
  ]);
  assert.equal(meant('Ke2'), undefined);
});

test('the page asks for all its modules at once', async () => {
  const page = new URL('../page/', import.meta.url);
  const index = await readFile(new URL('index.html', page), 'utf8');
  const modules = (await readdir(page)).filter((name) => name.endsWith('.js'));
  assert.deepEqual(
    modules.filter((name) => !index.includes(`"${name}"`)),
    [],
  );
});
