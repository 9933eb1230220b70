// The moves as a text with variations, signs, comments and clocks.

import { h } from './dom.js';
import { moveNumber, turnOf } from './fen.js';
import { nagClass, nagSign } from './nags.js';

/** @typedef {import('./api.js').GameNode} GameNode */

/**
 * Seconds as 1:02:03.
 * @param {number} seconds
 */
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** @param {import('./api.js').Evaluation} evaluation */
export function evaluationText(evaluation) {
  if ('mate' in evaluation) return evaluation.mate < 0 ? `−#${-evaluation.mate}` : `#${evaluation.mate}`;
  const pawns = (Math.abs(evaluation.cp) / 100).toFixed(2);
  return evaluation.cp < 0 ? `−${pawns}` : `+${pawns}`;
}

const DEEPEST = 30;

export class Moves {
  element = h('div', { class: 'moves', tabindex: '0', role: 'group', 'aria-label': 'Moves' });
  /** @type {import('./line.js').Line | null} */
  #line = null;
  #times = h('input', { type: 'checkbox', checked: true, change: () => this.#plain() });
  /** Whether clocks and evaluations stand among the moves; shown where there are any. */
  switch = h(
    'label',
    { class: 'show-times', hidden: true },
    this.#times,
    'Clocks and evaluations among the moves',
  );
  #base = '';
  /** @type {HTMLElement | null} */
  #current = null;

  /** @param {(path: string) => string} link the address of a place in the line */
  constructor(link) {
    this.link = link;
    this.#times.checked = !localStorage.getItem('plain');
    this.#plain();
  }

  /**
   * @param {import('./line.js').Line & {comment?: string | null, result?: string}} line
   * @param {string} path
   */
  show(line, path) {
    const base = this.link('0'); // where its links lead: filters are part of them
    if (line !== this.#line || base !== this.#base) {
      this.#line = line;
      this.#base = base;
      this.switch.hidden = !line.nodes.some(({ clock, evaluation }) => clock != null || evaluation);
      this.element.replaceChildren(...this.#content(line));
    }
    this.#current?.removeAttribute('aria-current');
    this.#current = this.element.querySelector(`[data-path="${path}"]`);
    this.#current?.setAttribute('aria-current', 'true');
    this.#scroll();
  }

  #plain() {
    this.element.classList.toggle('plain', !this.#times.checked);
    localStorage.setItem('plain', this.#times.checked ? '' : '1');
  }

  /** Brings the move into view without moving the page. */
  #scroll() {
    const box = this.element;
    const top = this.#current ? this.#current.offsetTop : 0;
    if (top < box.scrollTop + 8 || top > box.scrollTop + box.clientHeight - 40)
      box.scrollTop = top - box.clientHeight / 2;
  }

  /** @param {import('./line.js').Line & {comment?: string | null, result?: string}} line */
  #content(line) {
    const parts = [];
    if (line.comment) parts.push(comment(line.comment));
    if (line.nodes.length) parts.push(...this.#run(line.nodes, line.fen, ''));
    if (line.result) parts.push(h('span', { class: 'result' }, line.result));
    if (!parts.length)
      parts.push(
        h('p', { class: 'hint' }, 'Play a move on the board, choose one in the tree, or open a game.'),
      );
    return parts;
  }

  /**
   * @param {GameNode[]} nodes
   * @param {string} fen the position before the first of them
   * @param {string} prefix
   * @param {number} [depth]
   * @returns {HTMLElement[]}
   */
  #run(nodes, fen, prefix, depth = 0) {
    /** @type {HTMLElement[]} */
    const parts = [];
    let before = fen;
    let numbered = false; // whether the reader knows the number from the move before
    nodes.forEach((node, index) => {
      if (node.before) {
        parts.push(comment(node.before));
        numbered = false;
      }
      parts.push(this.#move(node, before, `${prefix}${index + 1}`, numbered));
      numbered = turnOf(before) === 'white';
      if (node.comment) {
        parts.push(comment(node.comment));
        numbered = false;
      }
      node.variations?.forEach((variation, number) => {
        // Nobody reads so deep, and a hostile game has no bottom.
        const inside =
          depth < DEEPEST
            ? this.#run(variation, before, `${prefix}${index + 1}.${number}.`, depth + 1)
            : [comment('… the PGN of the game has more')];
        parts.push(h('div', { class: 'variation' }, ...inside));
        numbered = false;
      });
      before = node.fen;
    });
    return parts;
  }

  /**
   * @param {GameNode} node
   * @param {string} before
   * @param {string} path
   * @param {boolean} numbered
   */
  #move(node, before, path, numbered) {
    const black = turnOf(before) === 'black';
    const number = black ? (numbered ? '' : `${moveNumber(before)}…`) : `${moveNumber(before)}.`;
    const nags = node.nags ?? [];
    return h(
      'a',
      { class: `move ${nagClass(nags)}`, href: this.link(path), 'data-path': path, 'data-replace': '1' },
      number && h('span', { class: 'number' }, number, '\u00a0'),
      h('span', { class: 'san' }, node.san),
      ...nags.map((nag) => {
        const [sign, meaning] = nagSign(nag);
        return h('span', { class: 'nag', title: meaning }, sign);
      }),
      node.evaluation && h('span', { class: 'eval', title: 'evaluation' }, evaluationText(node.evaluation)),
      node.clock != null && h('span', { class: 'clock', title: 'time left' }, clockText(node.clock)),
    );
  }
}

/** @param {string} text */
const comment = (text) => h('span', { class: 'comment' }, text);
