// The board with everything around it: moves, tree, games; a line of one's own or a game of the database.

import { announce, h, words } from './dom.js';
import { Latest, get, position } from './api.js';
import { Board } from './board.js';
import { controls } from './controls.js';
import { START, turnOf } from './fen.js';
import { FilterBar } from './filters.js';
import { GameHead } from './gamehead.js';
import { GamesPanel } from './games.js';
import { Graph } from './graph.js';
import { backward, fenAt, follow, forward, lineEnd, locate, nodeAt, pathOf } from './line.js';
import { Moves } from './moves.js';
import { knownLine, playedLine, remember } from './played.js';
import { FRESH, go, link, route } from './router.js';
import { TreePanel } from './tree.js';
import { typedMove } from './typed.js';

/** @typedef {import('./line.js').Line & {game?: import('./api.js').Game, comment?: string | null, result?: string}} Shown */

const HURRY = 150; // milliseconds: whoever steps faster than this is not asking about each position

export class Explore {
  #board = new Board({ label: 'Board', onMove: (uci) => this.#play(uci) });
  #moves = new Moves((path) =>
    route().game == null ? link({ at: Number(path), offset: 0 }) : link({ path, offset: 0 }),
  );
  #graph = new Graph((ply) => this.#to(String(ply)));
  #head = new GameHead();
  #filters = new FilterBar((filters) => go({ filters, offset: 0 }));
  #tree = new TreePanel({
    link: (move) => this.#after(move.uci),
    play: (uci) => this.#play(uci),
    opening: (eco) => link({ ...FRESH, view: 'opening', eco }),
  });
  #games = new GamesPanel({ title: 'Games', sort: (sort) => go({ sort, offset: 0 }) });
  #controls = controls({
    step: (way) => this.step(way),
    flip: () => this.flip(),
    enter: (text) => this.#enter(text),
  });
  #status = h('p', { class: 'status' });
  #fen = h('input', {
    class: 'fen',
    'aria-label': 'FEN of the position; another one goes there',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  element = h(
    'div',
    { class: 'explore' },
    h('h1', { class: 'unseen' }, 'Explore the games'),
    h(
      'div',
      { class: 'board-column' },
      this.#board.element,
      this.#controls.element,
      this.#where(),
      this.#graph.element,
    ),
    h(
      'div',
      { class: 'side-column' },
      this.#head.element,
      h('section', { class: 'panel', 'aria-label': 'Moves played' }, this.#moves.element, this.#moves.switch),
      this.#filters.element,
      this.#tree.element,
      this.#games.element,
    ),
  );
  #latest = new Latest();
  #positions = new Latest();
  /** @type {Shown} */
  #line = { fen: START, nodes: [] };
  #place = locate(this.#line, '0');
  /** @type {import('./api.js').LegalMove[]} */
  #legal = [];
  /** @type {Map<number, Shown>} */
  #known = new Map();
  #asked = '';
  #askedAt = 0;
  #timer = 0;

  /** @param {() => import('./api.js').Info | null} info */
  constructor(info) {
    this.info = info;
  }

  /** @param {import('./router.js').Route} route */
  async show(route) {
    this.#filters.show(route.filters);
    const ready = route.game == null ? knownLine(route.fen, route.play) : this.#known.get(route.game);
    if (ready) {
      this.#latest.stop();
      return this.#present(route, ready);
    }
    try {
      const line = await this.#latest.ask((signal) =>
        route.game == null ? playedLine(route.fen, route.play, signal) : this.#open(route.game, signal),
      );
      if (line) this.#present(route, line);
    } catch (error) {
      this.#say(words(error), true);
    }
  }

  /**
   * @param {string} text
   * @param {boolean} [problem]
   */
  #say(text, problem = false) {
    this.#status.textContent = text;
    this.#status.classList.toggle('problem', problem);
  }

  #where() {
    const form = h('form', {}, this.#fen);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      go({ ...FRESH, view: 'explore', fen: this.#fen.value.trim() });
    });
    this.#fen.addEventListener('focus', () => this.#fen.select());
    return h('div', { class: 'place' }, this.#status, form);
  }

  /** The formats that can be written are known now. */
  informed() {
    this.#games.offer({ ...this.#question(), ...route().filters }, this.info());
  }

  /** Asks for tree and games again, as when the database has grown. */
  refresh() {
    this.#asked = '';
    this.#known.clear();
    if (route().view === 'explore') this.#ask(route());
  }

  /** @param {'start' | 'back' | 'forward' | 'end'} way */
  step(way) {
    const path = {
      start: () => '0',
      back: () => backward(this.#place),
      forward: () => forward(this.#place),
      end: () => lineEnd(this.#place),
    }[way]();
    if (path != null && path !== pathOf(this.#place)) this.#to(path);
  }

  flip() {
    go({ flip: !route().flip }, { replace: true });
  }

  focusMove() {
    this.#controls.field.focus();
  }

  /**
   * @param {number} id
   * @param {AbortSignal} signal
   */
  async #open(id, signal) {
    const game = /** @type {import('./api.js').Game} */ (await get(`/api/games/${id}`, {}, signal));
    /** @type {Shown} */
    const line = { fen: game.fen, nodes: game.line, game, comment: game.comment, result: game.result };
    this.#known.set(id, line);
    return line;
  }

  /**
   * @param {import('./router.js').Route} route
   * @param {Shown} line
   */
  #present(route, line) {
    const before = fenAt(this.#line, this.#place);
    this.#line = line;
    this.#place = locate(line, route.game == null ? String(route.at) : route.path);
    const node = nodeAt(this.#place);
    const fen = fenAt(line, this.#place);
    if (fen !== before) {
      this.#legal = [];
      announce(node ? `${turnOf(fen) === 'black' ? 'White' : 'Black'} ${node.san}` : 'Start of the line');
    }
    this.#fen.value = fen;
    this.#paint(route.flip, /[+#]$/.test(node?.san ?? ''));
    this.#moves.show(line, pathOf(this.#place));
    this.#head.show(line.game ?? null);
    if (line.game) document.title = `${tagOf(line.game, 'White')} – ${tagOf(line.game, 'Black')} · tabiya`;
    this.#graph.show(line, Number.parseInt(pathOf(this.#place), 10));
    this.#ask(route);
    this.#learn(fen);
  }

  /**
   * @param {boolean} flip
   * @param {boolean} check
   */
  #paint(flip, check) {
    const node = nodeAt(this.#place);
    const drawn = node ?? this.#line.game;
    const fen = fenAt(this.#line, this.#place);
    this.#board.show({
      fen,
      flip,
      check,
      legal: this.#legal,
      last: node?.uci,
      arrows: drawn?.arrows,
      squares: drawn?.squares,
    });
  }

  /**
   * Which moves the position has.
   * @param {string} fen
   */
  async #learn(fen) {
    this.#say(turnOf(fen) === 'white' ? 'White to move' : 'Black to move');
    try {
      const known = await this.#positions.ask((signal) => position(this.#question(), signal));
      if (!known || fen !== fenAt(this.#line, this.#place)) return;
      this.#legal = known.legal;
      this.#paint(route().flip, known.check);
      if (known.outcome) this.#say(known.outcome);
    } catch (error) {
      this.#say(words(error), true);
    }
  }

  /** The position as the server is asked for it: with the way there, which may give it the name of an opening. */
  #question() {
    const play = this.#place.trail.map((node) => node.uci);
    // A null move of an annotation is no move that could be played.
    if (!play.every((uci) => /^[a-h][1-8][a-h][1-8]/.test(uci) && uci.slice(0, 2) !== uci.slice(2, 4)))
      return { fen: fenAt(this.#line, this.#place) };
    return { fen: this.#line.fen === START ? '' : this.#line.fen, play: play.join(',') };
  }

  /**
   * Asks for the tree and the games, at once or when the reader has come to rest.
   * @param {import('./router.js').Route} route
   */
  #ask(route) {
    const question = { ...this.#question(), ...route.filters };
    const asked = JSON.stringify([question, route.sort, route.offset]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    const now = performance.now();
    clearTimeout(this.#timer);
    this.#tree.leave();
    const ask = () => {
      this.#tree.show(question, (tree) => {
        if (!this.#legal.length && tree.fen === fenAt(this.#line, this.#place)) this.#legal = tree.legal;
      });
      this.#games.show(question, this.info());
    };
    if (now - this.#askedAt < HURRY) this.#timer = window.setTimeout(ask, HURRY);
    else ask();
    this.#askedAt = now;
  }

  /**
   * The address of the position after a move.
   * @param {string} uci
   */
  #after(uci) {
    const inGame = route().game != null;
    const path = inGame ? follow(this.#place, uci) : null;
    if (path) return link({ path, offset: 0 });
    const play = [...this.#place.trail.map((node) => node.uci), uci];
    return link({
      game: null,
      path: '0',
      fen: this.#line.fen === START ? '' : this.#line.fen,
      play,
      at: play.length,
      offset: 0,
    });
  }

  /** @param {string} uci */
  #play(uci) {
    const { game, play, at } = route();
    const path = game == null ? (play[at] === uci ? String(at + 1) : null) : follow(this.#place, uci);
    if (path) return this.#to(path);
    const fen = this.#line.fen === START ? '' : this.#line.fen;
    const trail = this.#place.trail;
    const line = [...trail.map((node) => node.uci), uci];
    trail.forEach((node, index) => remember(fen, line.slice(0, index + 1), node));
    const move = this.#legal.find((legal) => legal.uci === uci);
    if (move) remember(fen, line, move);
    go({ game: null, path: '0', fen, play: line, at: line.length, offset: 0 });
  }

  /** @param {string} text */
  #enter(text) {
    const found = typedMove(text, this.#legal);
    if (found) this.#play(found.uci);
    else announce(`${text} is not a move here`);
    return !!found;
  }

  /** @param {string} path */
  #to(path) {
    go(route().game == null ? { at: Number.parseInt(path, 10), offset: 0 } : { path, offset: 0 }, {
      replace: true,
    });
  }
}

/**
 * @param {import('./api.js').Game} game
 * @param {string} name
 */
const tagOf = (game, name) => game.tags.find(([key]) => key === name)?.[1] ?? '?';
