// SPDX-License-Identifier: Apache-2.0
// Keeps the page up to date in place: is told when there is something new, asks for the same page again and changes only what
// differs, so that focus, open parts, scroll position and selection stay. The page is complete without this.
(function () {
  'use strict';
  const shown = document.getElementById('discovery-topology');
  if (!shown || !window.fetch || !window.DOMParser) return;
  const live = shown.dataset.live === 'true' && !!window.Idiomorph;
  const pollMillis = 5000;
  const retryMillis = 15000;
  // Without user and password, which a page's own address may carry and a request's must not.
  const here = location.origin + location.pathname + location.search;
  const eventsAddress = location.origin + shown.dataset.events;
  const old = document.createElement('p');
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

  // ---- time that passes

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

  // ---- what is shown

  const kept = {
    beforeNodeMorphed: function (from) {
      // What somebody has typed or chosen, and what this script has made, is not the server's.
      return !(from.id === 'dz-live' || (from.nodeName === 'INPUT' && from.type !== 'hidden') || from.nodeName === 'SELECT');
    },
    beforeAttributeUpdated: function (name, node) {
      return !(name === 'open' && node.nodeName === 'DETAILS');
    }
  };

  function failed() {
    failures++;
    old.textContent = 'No answer from the server since ' + lastAnswer.toLocaleTimeString() + '. What is shown is old.';
    if (failures > 1 && !old.isConnected) shown.before(old);
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
      const answer = await fetch(here, { credentials: 'same-origin', cache: 'no-store', signal: abort.signal });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.getElementById('discovery-topology');
      if (!fresh) throw new Error('Not the topology page');
      if (!paused) {
        clock = Number(fresh.dataset.now) - Date.now();
        window.Idiomorph.morph(shown, fresh, { morphStyle: 'outerHTML', ignoreActiveValue: true, callbacks: kept });
        tick();
      }
      failures = 0;
      lastAnswer = new Date();
      old.remove();
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

  // ---- when to look

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
      // Another process may tell the same number.
      if (missed) update();
      missed = false;
      label();
    };
    source.onmessage = function (message) {
      if (message.lastEventId !== shown.dataset.revision || failures) update();
    };
    source.onerror = function () {
      // Either it reconnects by itself, or the server does not want it; until then the page is asked for.
      if (source && source.readyState === EventSource.CLOSED) disconnect();
      connected = false;
      missed = true;
      label();
    };
  }

  function poll() {
    if (!active() || connected) return;
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

  // ---- what says so

  const note = document.createElement('span');
  const button = document.createElement('button');

  function label() {
    put(note, paused ? 'Paused' : connected ? 'Live' : 'Every 5 s');
    note.className = 'dz-note ' + (paused ? 'dz-paused' : connected ? 'dz-connected' : 'dz-polling');
    put(button, paused ? 'Resume' : 'Pause');
  }

  // What is newest is on the right.
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
