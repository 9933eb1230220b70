// Files dropped on the page, or chosen, go into the database.

import { announce, byId, count, h, words } from './dom.js';
import { post } from './api.js';

/** @typedef {{read: number, written: number, refused: number}} Imported */

export class Importer {
  #message = h('div', { class: 'toast', role: 'status', hidden: true });
  #veil = h('div', { class: 'veil', hidden: true }, h('p', {}, 'Drop files to add their games'));
  #timer = 0;

  /** @param {() => void} done hears that games were added */
  constructor(done) {
    this.done = done;
    const files = h('input', { type: 'file', multiple: true, id: 'add-files', class: 'hidden-input' });
    files.addEventListener('change', () => this.#add([...(files.files ?? [])]).then(() => (files.value = '')));
    byId('add').append(files, h('label', { for: 'add-files', class: 'button' }, 'Add games'));
    document.body.append(this.#veil, this.#message);
    const carries = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files');
    addEventListener('dragover', (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      this.#veil.hidden = false;
    });
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) this.#veil.hidden = true;
    });
    addEventListener('drop', (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      this.#veil.hidden = true;
      this.#add([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** @param {File[]} files */
  async #add(files) {
    for (const file of files) {
      this.#say(`Adding ${file.name} …`, false);
      try {
        const { written, refused } = /** @type {Imported} */ (await post('/api/import', { name: file.name }, file));
        this.#say(`${file.name}: ${count(written)} games added${refused ? `, ${count(refused)} refused` : ''}`, true);
        this.done();
      } catch (error) {
        this.#say(`${file.name}: ${words(error)}`, true);
      }
    }
  }

  /**
   * @param {string} text
   * @param {boolean} passes
   */
  #say(text, passes) {
    this.#message.textContent = text;
    this.#message.hidden = false;
    announce(text);
    clearTimeout(this.#timer);
    if (passes) this.#timer = window.setTimeout(() => (this.#message.hidden = true), 8000);
  }
}
