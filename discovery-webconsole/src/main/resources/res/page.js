// SPDX-License-Identifier: Apache-2.0
// What the page does for its reader without asking the server: times in the zone of the browser, the title of the tab, and a
// filter while one types. Content that another script brings is announced to this one by the events dz-fresh and dz-shown.
(function () {
  'use strict';
  const shown = document.getElementById('discovery-topology');
  if (!shown) return;
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'browser';

  // ---- head: where no filter has completed it

  if (!document.querySelector('meta[name=viewport]')) {
    const meta = document.createElement('meta');
    meta.name = 'viewport';
    meta.content = 'width=device-width, initial-scale=1';
    document.head.append(meta);
  }

  function title() {
    const old = document.querySelector('.dz-old');
    const text = (old ? 'Out of date · ' : '') + shown.dataset.title;
    if (document.title !== text) document.title = text;
  }

  // ---- times

  function two(number) { return String(number).padStart(2, '0'); }

  function clock(time) { return two(time.getHours()) + ':' + two(time.getMinutes()) + ':' + two(time.getSeconds()); }

  function day(time) { return time.getFullYear() + '-' + two(time.getMonth() + 1) + '-' + two(time.getDate()); }

  function exact(time) { return clock(time) + '.' + String(time.getMilliseconds()).padStart(3, '0'); }

  function localize(part) {
    for (const e of part.querySelectorAll('time[datetime]')) {
      const time = new Date(e.dateTime);
      e.textContent = day(time) + ' ' + ('exact' in e.dataset ? exact(time) : clock(time));
      e.title = e.dateTime;
    }
    for (const e of part.querySelectorAll('[data-clock]')) {
      const time = new Date(Number(e.dataset.clock));
      e.textContent = e.dataset.with === 'day' ? day(time) : clock(time);
    }
    for (const e of part.querySelectorAll('.dz-zone')) e.textContent = zone + ' of this browser';
  }

  // ---- filter

  function filter() {
    const input = document.getElementById('dz-find');
    if (!input) return;
    const wanted = input.value.trim().toLowerCase();
    for (const row of shown.querySelectorAll('#dz-instances tr[data-find]')) {
      row.hidden = wanted !== '' && !row.dataset.find.toLowerCase().includes(wanted);
    }
  }

  document.addEventListener('input', function (event) {
    if (event.target.id === 'dz-find') filter();
  });
  document.addEventListener('dz-fresh', function (event) { localize(event.detail); });
  document.addEventListener('dz-shown', function () {
    filter();
    title();
  });

  shown.parentNode.classList.add('dz-scripted');
  localize(shown);
  filter();
  title();
})();
