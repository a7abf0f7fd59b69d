// SPDX-License-Identifier: Apache-2.0
// Keeps the page up to date: after each event it requests the content of the page again and changes only what differs, so that focus,
// open parts, scroll position and selection stay. The page is complete without this script.
(function () {
  'use strict';
  const shown = document.getElementById('discovery-topology');
  if (!shown || !window.fetch || !window.DOMParser) return;
  const live = shown.dataset.live === 'true' && !!window.Idiomorph;
  const pollMillis = 5000;
  const retryMillis = 15000;
  // Sentences of the server contain durations, such as the time that a listener has been busy, which cause no event.
  const oldMillis = 60000;
  // Pages that hear of a change at the same moment do not all ask in the same millisecond.
  const spreadMillis = 200;
  const contentAddress = live ? content() : null;
  const eventsAddress = location.origin + shown.dataset.events;
  const old = document.createElement('p');
  let revision = shown.dataset.revision;
  let tag = null;
  let clock = Number(shown.dataset.now) - Date.now();
  let source = null;
  let connected = false;
  let missed = false;
  let lastTry = 0;
  let paused = false;
  let running = false;
  let again = false;
  let failures = 0;
  let lastAnswer = new Date();

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

  // ---- elapsed time

  function span(millis) {
    const seconds = Math.floor(Math.max(0, millis) / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    function two(big, bigUnit, small, smallUnit) {
      return big + ' ' + bigUnit + (small ? ' ' + small + ' ' + smallUnit : '');
    }
    if (seconds < 60) return seconds + ' s';
    if (minutes < 60) return two(minutes, 'min', minutes < 10 ? seconds % 60 : 0, 's');
    if (hours < 48) return two(hours, 'h', minutes % 60, 'min');
    return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
  }

  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function tick() {
    if (document.hidden || paused) return;
    const now = Date.now() + clock;
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
      // The server does not know the input of the user and the elements of this script.
      return !(from.id === 'dz-live' || (from.nodeName === 'INPUT' && from.type !== 'hidden') || from.nodeName === 'SELECT');
    },
    beforeAttributeUpdated: function (name, node) {
      return !(name === 'open' && node.nodeName === 'DETAILS');
    }
  };

  /** Lets page.js show content as its reader wants it. */
  function announce(event, part) {
    document.dispatchEvent(new CustomEvent(event, { detail: part }));
  }

  function failed() {
    failures++;
    const time = document.createElement('time');
    time.dateTime = lastAnswer.toISOString();
    old.replaceChildren('No answer from the server since ', time, '. The page is out of date.');
    announce('dz-fresh', old);
    if (failures > 1 && !old.isConnected) shown.before(old);
    announce('dz-shown', shown);
  }

  function root(text) {
    return new DOMParser().parseFromString(text, 'text/html').getElementById('discovery-topology');
  }

  async function update() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    const abort = new AbortController();
    const patience = setTimeout(function () { abort.abort(); }, 10000);
    try {
      const headers = tag ? { 'If-None-Match': tag } : {};
      const answer = await fetch(contentAddress, { credentials: 'same-origin', cache: 'no-store', headers, signal: abort.signal });
      const now = Number(answer.headers.get('Topology-Now'));
      const fresh = answer.status === 304 ? null : root(await answer.text());
      if (answer.status !== 304 && !fresh) throw new Error('Not the topology page');
      if (!paused && now) clock = now - Date.now();
      if (!paused && fresh) {
        announce('dz-fresh', fresh);
        tag = answer.headers.get('ETag');
        revision = fresh.dataset.revision;
        window.Idiomorph.morph(shown, fresh, { morphStyle: 'outerHTML', ignoreActiveValue: true, callbacks: kept });
        tick();
      }
      failures = 0;
      lastAnswer = new Date();
      old.remove();
      announce('dz-shown', shown);
    } catch (e) {
      failed();
    } finally {
      clearTimeout(patience);
      running = false;
      if (again && active()) {
        again = false;
        update();
      }
    }
  }

  // ---- updates

  function active() {
    return !paused && !document.hidden;
  }

  function disconnect() {
    if (source) source.close();
    source = null;
    connected = false;
  }

  function connect() {
    if (source || !window.EventSource) return;
    lastTry = Date.now();
    source = new EventSource(eventsAddress, { withCredentials: true });
    source.onopen = function () {
      connected = true;
      // After a restart another process may send the same number.
      if (missed) update();
      missed = false;
      label();
    };
    source.onmessage = function (message) {
      if (message.lastEventId === revision && !failures) return;
      revision = message.lastEventId;
      setTimeout(function () { if (active()) update(); }, Math.random() * spreadMillis);
    };
    source.onerror = function () {
      // The browser connects again, or the server has refused the connection; until then the page polls.
      if (source && source.readyState === EventSource.CLOSED) disconnect();
      connected = false;
      missed = true;
      label();
    };
  }

  function poll() {
    if (!active() || (connected && Date.now() - lastAnswer < oldMillis)) return;
    update();
    if (!source && Date.now() - lastTry > retryMillis) connect();
  }

  function resume() {
    if (active()) {
      update();
      connect();
      tick();
    } else {
      disconnect();
    }
    label();
  }

  // ---- indicator

  const note = document.createElement('span');
  const button = document.createElement('button');

  function label() {
    put(note, paused ? 'Paused' : connected ? 'Live' : 'Every 5 s');
    note.className = 'dz-note ' + (paused ? 'dz-paused' : connected ? 'dz-connected' : 'dz-polling');
    put(button, paused ? 'Resume' : 'Pause');
  }

  // The newest view is on the right.
  const timeline = document.getElementById('dz-scroll');
  if (timeline) timeline.scrollLeft = timeline.scrollWidth;

  setInterval(tick, 1000);
  if (live) {
    button.type = 'button';
    document.getElementById('dz-live').append(note, button);
    button.addEventListener('click', function () {
      paused = !paused;
      resume();
    });
    document.addEventListener('visibilitychange', resume);
    window.addEventListener('pagehide', disconnect);
    window.addEventListener('pageshow', function (event) { if (event.persisted) resume(); });
    setInterval(poll, pollMillis);
    if (active()) connect();
    label();
  }
})();
