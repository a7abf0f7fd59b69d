// SPDX-License-Identifier: Apache-2.0
// Shows times in the zone of the browser, and keeps the page up to date: each second, while it is visible, it requests the content of
// the page and changes only what differs, so that focus, open parts, scroll position and selection stay. The page is complete without
// this script.
(function () {
  'use strict';
  const shown = document.getElementById('discovery-topology');
  if (!shown) return;
  const live = shown.dataset.live === 'true' && !!window.Idiomorph;
  const pollMillis = 1000;
  const contentAddress = live ? content() : null;
  const old = document.createElement('p');
  let tag = null;
  let ahead = Number(shown.dataset.now) - Date.now();
  let paused = false;
  let running = false;
  let awaitedSince = Date.now();

  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'browser';

  if (!document.querySelector('meta[name=viewport]')) {
    const meta = document.createElement('meta');
    meta.name = 'viewport';
    meta.content = 'width=device-width, initial-scale=1';
    document.head.append(meta);
  }
  old.className = 'dz-old';
  old.setAttribute('role', 'alert');

  // Without user and password, which the address of a page may contain and the address of a request must not.
  function content() {
    const address = new URL(location.origin + shown.dataset.content + location.search);
    const overview = shown.dataset.content.replace(/\.content$/, '/');
    const id = location.pathname.startsWith(overview) ? location.pathname.slice(overview.length).replace(/\/$/, '') : '';
    if (id) address.searchParams.set('instance', decodeURIComponent(id));
    return address;
  }

  function title() {
    const text = (old.isConnected ? 'Out of date · ' : '') + shown.dataset.title;
    if (document.title !== text) document.title = text;
  }

  // ---- times

  function two(number) { return String(number).padStart(2, '0'); }

  function clock(time) { return two(time.getHours()) + ':' + two(time.getMinutes()) + ':' + two(time.getSeconds()); }

  function day(time) { return time.getFullYear() + '-' + two(time.getMonth() + 1) + '-' + two(time.getDate()); }

  function localize(part) {
    for (const e of part.querySelectorAll('time[datetime]')) {
      const time = new Date(e.dateTime);
      e.textContent = day(time) + ' ' + clock(time);
      e.title = e.dateTime;
    }
    for (const e of part.querySelectorAll('.dz-zone')) e.textContent = zone + ' of this browser';
  }

  // ---- elapsed time

  function span(millis) {
    const seconds = Math.floor(Math.max(0, millis) / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    function both(big, bigUnit, small, smallUnit) {
      return big + ' ' + bigUnit + (small ? ' ' + small + ' ' + smallUnit : '');
    }
    if (seconds < 60) return seconds + ' s';
    if (minutes < 60) return both(minutes, 'min', minutes < 10 ? seconds % 60 : 0, 's');
    if (hours < 48) return both(hours, 'h', minutes % 60, 'min');
    return both(Math.floor(hours / 24), 'd', hours % 24, 'h');
  }

  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  // The ages of an old page stand still.
  function tick() {
    if (!active()) return;
    if (live && Date.now() - awaitedSince > 3 * pollMillis && !old.isConnected) outdate();
    label();
    if (old.isConnected) return;
    const now = Date.now() + ahead;
    for (const e of shown.querySelectorAll('[data-since]')) put(e, span(now - Number(e.dataset.since)));
    for (const e of shown.querySelectorAll('[data-at]')) {
      put(e, e.dataset.what + ' ' + Math.max(0, Math.ceil((Number(e.dataset.at) - now) / 1000)) + ' s');
    }
    for (const e of shown.querySelectorAll('[data-ago]')) {
      const age = now - Number(e.dataset.ago);
      put(e, '(' + (Math.abs(age) < 1000 ? 'just now' : age > 0 ? span(age) + ' ago' : 'in ' + span(-age)) + ')');
    }
  }

  // ---- content

  const kept = {
    beforeNodeMorphed: function (from) {
      // The server does not know the elements of this script.
      return from.id !== 'dz-live';
    },
    beforeAttributeUpdated: function (name, node) {
      return !(name === 'open' && node.nodeName === 'DETAILS');
    }
  };

  function outdate() {
    const time = document.createElement('time');
    time.dateTime = new Date(awaitedSince).toISOString();
    old.replaceChildren('No answer from the server since ', time, '. The page is out of date.');
    localize(old);
    shown.before(old);
    title();
  }

  function root(text) {
    return new DOMParser().parseFromString(text, 'text/html').getElementById('discovery-topology');
  }

  async function update() {
    if (running) return;
    running = true;
    const abort = new AbortController();
    const patience = setTimeout(function () { abort.abort(); }, 10000);
    try {
      const headers = tag ? { 'If-None-Match': tag } : {};
      const answer = await fetch(contentAddress, { credentials: 'same-origin', cache: 'no-store', headers, signal: abort.signal });
      const now = Number(answer.headers.get('Topology-Now'));
      const fresh = answer.status === 304 ? null : root(await answer.text());
      if (answer.status !== 304 && !fresh) throw new Error('Not the topology page');
      if (!paused && now) ahead = now - Date.now();
      if (!paused && fresh) {
        localize(fresh);
        tag = answer.headers.get('ETag');
        window.Idiomorph.morph(shown, fresh, { morphStyle: 'outerHTML', ignoreActiveValue: true, callbacks: kept });
      }
      awaitedSince = Date.now();
      old.remove();
      title();
      tick();
    } catch (e) {
      // The indicator tells when this lasts.
    } finally {
      clearTimeout(patience);
      running = false;
    }
  }

  // ---- updates

  function active() {
    return !paused && !document.hidden;
  }

  function poll() {
    if (active()) update();
  }

  function resume() {
    if (!old.isConnected) awaitedSince = Date.now();
    poll();
    tick();
    label();
  }

  // ---- indicator

  const note = document.createElement('span');
  const button = document.createElement('button');

  function label() {
    const silent = old.isConnected;
    put(note, paused ? 'Paused' : silent ? 'No answer for ' + span(Date.now() - awaitedSince) : 'Live');
    note.classList.toggle('dz-paused', paused || silent);
    put(button, paused ? 'Resume' : 'Pause');
  }

  // The newest view is on the right.
  const timeline = document.getElementById('dz-scroll');
  if (timeline) timeline.scrollLeft = timeline.scrollWidth;

  localize(shown);
  title();
  setInterval(tick, 1000);
  if (live) {
    note.className = 'dz-note';
    button.type = 'button';
    document.getElementById('dz-live').append(note, button);
    button.addEventListener('click', function () {
      paused = !paused;
      resume();
    });
    document.addEventListener('visibilitychange', resume);
    window.addEventListener('pageshow', function (event) { if (event.persisted) resume(); });
    setInterval(poll, pollMillis);
    label();
  }
})();
