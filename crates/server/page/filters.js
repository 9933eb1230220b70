// Which games count: the filters of the command as a form.

import { h } from './dom.js';
import { Latest, get } from './api.js';
import { FILTERS, link } from './router.js';

/** @type {Record<string, {label: string, hint?: string, choices?: [string, string][]}>} */
const FIELDS = {
  player: { label: 'Player', hint: 'kasparov' },
  versus: { label: 'Against' },
  white: { label: 'White' },
  black: { label: 'Black' },
  event: { label: 'Event' },
  site: { label: 'Site' },
  since: { label: 'Since', hint: '1990' },
  until: { label: 'Until', hint: '2024-05' },
  eco: { label: 'ECO', hint: 'B90..B99' },
  result: {
    label: 'Result',
    choices: [
      ['', 'any'],
      ['1-0', '1–0'],
      ['1/2-1/2', '½–½'],
      ['0-1', '0–1'],
      ['*', 'unfinished'],
    ],
  },
  elo_min: { label: 'Elo from', hint: '2500' },
  elo_max: { label: 'Elo to' },
  title: { label: 'Title', hint: 'GM' },
  time_control: {
    label: 'Time control',
    choices: [
      ['', 'any'],
      ['bullet', 'bullet'],
      ['blitz', 'blitz'],
      ['rapid', 'rapid'],
      ['classical', 'classical'],
      ['correspondence', 'correspondence'],
    ],
  },
  comment: { label: 'Comment has' },
};
const NAMES = new Set(['player', 'versus', 'white', 'black']);
let forms = 0;

/**
 * The filter that finds this name and no other.
 * @param {string} name
 */
export const exact = (name) => `"${name}"`;

/**
 * The fields of a form; those of names propose players.
 * @param {Record<string, string>} values
 */
export function filterFields(values) {
  const id = `filter-${++forms}`;
  const names = h('datalist', { id: `${id}-names` });
  const fields = FILTERS.map((name) => {
    const { label, hint, choices } = FIELDS[name];
    const field = choices
      ? h(
          'select',
          { name, id: `${id}-${name}` },
          ...choices.map(([value, text]) =>
            h('option', { value, selected: value === (values[name] ?? '') }, text),
          ),
        )
      : h('input', {
          name,
          id: `${id}-${name}`,
          value: values[name],
          placeholder: hint,
          autocomplete: 'off',
          list: NAMES.has(name) ? names.id : null,
          inputmode: name.startsWith('elo') ? 'numeric' : null,
        });
    return h('div', { class: 'field' }, h('label', { for: `${id}-${name}` }, label), field);
  });
  const element = h('div', { class: 'fields' }, ...fields, names);
  const latest = new Latest();
  element.addEventListener('input', (event) => {
    if (event.target instanceof HTMLInputElement && NAMES.has(event.target.name))
      propose(event.target.value, names, latest);
  });
  return element;
}

/**
 * @param {string} name
 * @param {HTMLDataListElement} list
 * @param {Latest} latest
 */
async function propose(name, list, latest) {
  if (name.length < 2) return;
  const answer = await latest
    .ask((signal) => get('/api/players', { name, limit: 12 }, signal))
    .catch(() => undefined);
  if (answer)
    list.replaceChildren(
      .../** @type {import('./api.js').PlayerName[]} */ (answer.players).map((player) =>
        h('option', { value: player.name }),
      ),
    );
}

/**
 * What was filled in, by name.
 * @param {HTMLFormElement} form
 * @param {readonly string[]} names
 */
export function filledIn(form, names) {
  const data = new FormData(form);
  return Object.fromEntries(
    names.map((name) => [name, String(data.get(name) ?? '').trim()]).filter(([, value]) => value),
  );
}

/** A line of the filters that are set, each with a way to take it off, and the form behind a button. */
export class FilterBar {
  #shown = '';
  #chips = h('span', { class: 'chips' });
  #form = h('form', { class: 'filter-form' });
  #details = h('details', { class: 'filters' }, h('summary', {}, 'Filters'), this.#form);
  element = h('div', { class: 'filter-bar' }, this.#details, this.#chips);

  /** @param {(filters: Record<string, string>) => void} change */
  constructor(change) {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      change(filledIn(this.#form, FILTERS));
    });
    this.#form.addEventListener('reset', (event) => {
      event.preventDefault();
      change({});
    });
  }

  /** @param {Record<string, string>} filters */
  show(filters) {
    const shown = JSON.stringify(filters);
    if (shown === this.#shown) return; // what somebody is typing stays
    this.#shown = shown;
    if (this.element.contains(document.activeElement)) this.#details.querySelector('summary')?.focus();
    const buttons = h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'submit', class: 'primary' }, 'Apply'),
      h('button', { type: 'reset' }, 'Clear'),
    );
    this.#form.replaceChildren(filterFields(filters), buttons);
    this.#chips.replaceChildren(
      ...Object.entries(filters).map(([name, value]) => {
        const rest = Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name));
        return h(
          'a',
          {
            class: 'chip',
            href: link({ filters: rest, offset: 0 }),
            'aria-label': `Remove filter ${FIELDS[name].label} ${value}`,
          },
          `${FIELDS[name].label} `,
          h('b', {}, value),
          ' ×',
        );
      }),
    );
  }
}
