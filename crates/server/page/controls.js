// The row under the board: steps through the line, flip, and a field for typed moves.

import { h, s } from './dom.js';

/** @typedef {'start' | 'back' | 'forward' | 'end'} Way */

/** @type {[Way, string, string][]} */
const STEPS = [
  ['start', 'M6 5v14M18 5l-8 7l8 7z', 'Start (Home)'],
  ['back', 'M16 5l-8 7l8 7z', 'Back (left arrow)'],
  ['forward', 'M8 5l8 7l-8 7z', 'Forward (right arrow)'],
  ['end', 'M18 5v14M6 5l8 7l-8 7z', 'End (End key)'],
];

/**
 * @param {{step: (way: Way) => void, flip: () => void, enter: (text: string) => boolean}} options
 */
export function controls({ step, flip, enter }) {
  const field = h('input', {
    class: 'move-field',
    'aria-label': 'Type a move, as e4 or Nf3',
    placeholder: 'type a move',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const form = h('form', { class: 'move-form' }, field);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const played = enter(field.value);
    field.setAttribute('aria-invalid', String(!played));
    if (played) field.value = '';
  });
  field.addEventListener('input', () => field.removeAttribute('aria-invalid'));
  const element = h(
    'div',
    { class: 'controls', role: 'toolbar', 'aria-label': 'Moves' },
    ...STEPS.map(([way, icon, label]) => button(icon, label, () => step(way))),
    button('M8 20V5l-4 4.5M8 5l4 4.5M16 4v15l-4-4.5M16 19l4-4.5', 'Flip the board (f)', flip),
    form,
  );
  return { element, field };
}

/**
 * @param {string} icon
 * @param {string} label
 * @param {() => void} click
 */
const button = (icon, label, click) =>
  h(
    'button',
    { type: 'button', 'aria-label': label, title: label, click },
    s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: icon })),
  );
