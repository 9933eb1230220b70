// The evaluation and the clocks along a game: a slider through its moves.

import { h, s } from './dom.js';
import { turnOf } from './fen.js';
import { clockText, evaluationText } from './moves.js';

const [WIDTH, HEIGHT] = [600, 110];

/**
 * From −1 to 1: what a pawn means shrinks with the advantage.
 * @param {import('./api.js').Evaluation} evaluation
 */
function squash(evaluation) {
  if ('mate' in evaluation) return evaluation.mate > 0 ? 1 : -1;
  return Math.tanh(evaluation.cp / 500);
}

export class Graph {
  #chart = s('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  #marker = s('line', { class: 'marker', y1: 0, y2: HEIGHT });
  #legend = h('div', { class: 'legend' });
  #slider = h(
    'div',
    { class: 'slider', role: 'slider', tabindex: '0', 'aria-label': 'Move of the game', 'aria-valuemin': 0 },
    this.#chart,
  );
  element = h('figure', { class: 'graph', hidden: true }, this.#slider, this.#legend);
  /** @type {import('./line.js').Line | null} */
  #line = null;
  #at = 0;

  /** @param {(ply: number) => void} seek */
  constructor(seek) {
    this.seek = seek;
    this.#slider.addEventListener('pointerdown', (event) => {
      this.#slider.setPointerCapture(event.pointerId);
      this.#point(event);
    });
    this.#slider.addEventListener('pointermove', (event) => event.buttons && this.#point(event));
    this.#slider.addEventListener('keydown', (event) => this.#key(event));
  }

  /**
   * @param {import('./line.js').Line} line
   * @param {number} at how many moves of the main line lie behind
   */
  show(line, at) {
    if (line !== this.#line) this.#draw(line);
    this.#line = line;
    this.#at = at;
    const x = (WIDTH * at) / Math.max(line.nodes.length, 1);
    this.#marker.setAttribute('x1', String(x));
    this.#marker.setAttribute('x2', String(x));
    this.#describe(line, at);
  }

  /** @param {import('./line.js').Line} line */
  #draw({ nodes }) {
    const evaluated = nodes.some(({ evaluation }) => evaluation);
    const clocked = nodes.some(({ clock }) => clock != null);
    this.element.hidden = !evaluated && !clocked;
    if (this.element.hidden) return;
    this.#slider.setAttribute('aria-valuemax', String(nodes.length));
    const parts = [s('line', { class: 'zero', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 })];
    this.#chart.replaceChildren(
      ...(evaluated ? evaluations(nodes) : []),
      ...parts,
      ...(clocked ? clocks(nodes) : []),
      this.#marker,
    );
  }

  /**
   * @param {import('./line.js').Line} line
   * @param {number} at
   */
  #describe({ nodes }, at) {
    const node = nodes[at - 1];
    const clock = (/** @type {number} */ back) =>
      nodes
        .slice(0, at)
        .reverse()
        .find((_, index) => index === back)?.clock;
    const white = node && turnOf(node.fen) === 'black' ? clock(0) : clock(1);
    const black = node && turnOf(node.fen) === 'black' ? clock(1) : clock(0);
    const keys = [
      ['evaluation', node?.evaluation && `evaluation ${evaluationText(node.evaluation)}`],
      ['white', white != null && `White ${clockText(white)}`],
      ['black', black != null && `Black ${clockText(black)}`],
    ].filter(([, words]) => words);
    const text = keys.map(([, words]) => words).join(', ');
    this.#legend.replaceChildren(
      ...keys.map(([kind, words]) => h('span', { class: `key ${kind}` }, words)),
      keys.length ? '' : '\u00a0',
    );
    this.#slider.setAttribute('aria-valuenow', String(at));
    this.#slider.setAttribute('aria-valuetext', node ? `${node.san}, ${text}` : 'start of the game');
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.#slider.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.x) / box.width, 0), 1);
    this.seek(Math.round(share * (this.#line?.nodes.length ?? 0)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const end = this.#line?.nodes.length ?? 0;
    const to = /** @type {Record<string, number>} */ ({
      ArrowLeft: this.#at - 1,
      ArrowDown: this.#at - 1,
      ArrowRight: this.#at + 1,
      ArrowUp: this.#at + 1,
      Home: 0,
      End: end,
    })[event.key];
    if (to == null) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(Math.min(Math.max(to, 0), end));
  }
}

/**
 * White's share above, Black's below, as Lichess has it.
 * @param {import('./api.js').GameNode[]} nodes
 */
function evaluations(nodes) {
  let value = 0;
  const points = nodes.map(({ evaluation }, index) => {
    if (evaluation) value = squash(evaluation);
    return `${(WIDTH * (index + 1)) / nodes.length} ${(HEIGHT * (1 - value)) / 2}`;
  });
  const path = `M0 ${HEIGHT / 2}L${points.join('L')}`;
  return [
    s('path', { class: 'advantage', d: `${path}V${HEIGHT}H0z` }),
    s('path', { class: 'evaluation', d: path }),
  ];
}

/**
 * A line of time left for each side.
 * @param {import('./api.js').GameNode[]} nodes
 */
function clocks(nodes) {
  const most = Math.max(...nodes.map(({ clock }) => clock ?? 0), 1);
  return ['white', 'black'].map((side) => {
    const points = nodes.flatMap(({ clock, fen }, index) =>
      clock != null && turnOf(fen) !== side
        ? [`${(WIDTH * (index + 1)) / nodes.length} ${HEIGHT - 2 - (HEIGHT - 4) * (clock / most)}`]
        : [],
    );
    return s('path', { class: `time ${side}`, d: points.length ? `M${points.join('L')}` : '' });
  });
}
