// SPDX-License-Identifier: Apache-2.0
// Shows times in the zone of the browser, keeps the page up to date, and finds one of many members: each second, while it is visible, it requests the content of
// the page and replaces the content of those sections that differ from the last answer. Focus, open parts and scroll positions stay, and
// so does a selection in the other sections. The page is complete without this script.
(function () {
  'use strict';
  const shown = document.getElementById('discovery-topology');
  if (!shown) return;
  const live = shown.dataset.live === 'true';
  const pollMillis = 1000;
  const contentAddress = live ? content() : null;
  const old = document.createElement('p');
  let tag = null;
  let last = null;
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

  // The form in which answers are compared: without the times that tick writes.
  function comparable(root) {
    localize(root);
    for (const e of root.querySelectorAll('[data-since], [data-at], [data-ago]')) e.textContent = '';
    return root;
  }

  function sections(part) {
    const all = new Map();
    for (const e of part.children) {
      let key = e.id || e.classList[0] || e.nodeName;
      while (all.has(key)) key += '+';
      all.set(key, e);
    }
    return all;
  }

  // Elements stay, with what the user has opened; their content is replaced. What contains the indicator or a live region, whose
  // changes are announced only while its element stays, consists of sections.
  function renew(part, was, now) {
    if (was.isEqualNode(now)) return;
    for (const { name } of was.attributes) if (!now.hasAttribute(name)) part.removeAttribute(name);
    for (const { name, value } of now.attributes) part.setAttribute(name, value);
    if (!now.querySelector('#dz-live, [role=status]')) {
      part.replaceChildren(...now.cloneNode(true).childNodes);
      return;
    }
    const present = sections(part);
    const before = sections(was);
    const after = sections(now);
    for (const [key, e] of present) if (!after.has(key)) e.remove();
    let next = part.firstElementChild;
    for (const [key, e] of after) {
      const section = present.get(key) || e.cloneNode(true);
      if (section !== next) part.insertBefore(section, next);
      next = section.nextElementSibling;
      if (before.has(key)) renew(section, before.get(key), e);
    }
  }

  // Finds an element again after an update has replaced it: by its id, or by address and place below the closest id.
  function finder(e) {
    const address = e.getAttribute('href');
    const selector = e.id ? '#' + CSS.escape(e.id)
      : '#' + CSS.escape(e.parentElement.closest('[id]').id) + ' ' + e.nodeName + (address ? '[href="' + CSS.escape(address) + '"]' : '');
    const index = Array.from(document.querySelectorAll(selector)).indexOf(e);
    return function () { return e.isConnected ? e : document.querySelectorAll(selector)[index]; };
  }

  // Returns a function that brings the focus and the scroll positions of replaced elements back.
  function remember() {
    const restores = [];
    for (const e of shown.querySelectorAll('*')) {
      const { scrollTop, scrollLeft } = e;
      const focused = e === document.activeElement;
      if (!focused && !scrollTop && !scrollLeft) continue;
      const find = finder(e);
      restores.push(function () {
        const found = find();
        if (found && focused) found.focus({ preventScroll: true });
        if (found && found !== e) Object.assign(found, { scrollTop, scrollLeft });
      });
    }
    return function () { for (const restore of restores) restore(); };
  }

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
      let restore = null;
      if (!paused && fresh) {
        restore = remember();
        renew(shown, last, comparable(fresh));
        arrange();
        last = fresh;
        tag = answer.headers.get('ETag');
      }
      awaitedSince = Date.now();
      old.remove();
      title();
      tick();
      if (restore) restore();
    } catch (e) {
      // The indicator tells when this lasts.
    } finally {
      clearTimeout(patience);
      running = false;
    }
  }

  // ---- members: filter, order, and what each says itself

  const many = 12;
  const said = new Map();
  const wish = new URLSearchParams(location.search);

  function wants(name, value) {
    if (value) wish.set(name, value);
    else wish.delete(name);
    const text = wish.toString();
    history.replaceState(history.state, '', location.pathname + (text ? '?' + text : '') + location.hash);
    arrange();
  }

  function make(name, properties) { return Object.assign(document.createElement(name), properties); }

  // Runs after each update, because an update replaces the table.
  function arrange() {
    const table = shown.querySelector('.dz-members');
    if (!table) return;
    const rows = Array.from(table.tBodies[0].rows);
    for (const row of rows) opinion(row);
    if (rows.length < many) return;
    if (!document.getElementById('dz-filter')) {
      const label = make('label', { className: 'dz-filter', textContent: 'Filter by name, host, state or property ' });
      const filter = make('input', { id: 'dz-filter', type: 'search', value: wish.get('filter') || '' });
      filter.addEventListener('input', function () { wants('filter', filter.value); });
      label.append(filter, make('output', { id: 'dz-found' }));
      table.before(label);
    }
    const words = (wish.get('filter') || '').toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = (row.textContent + ' ' + row.dataset.find).toLowerCase();
      row.hidden = !words.every(function (word) { return text.includes(word); });
    }
    const found = rows.filter(function (row) { return !row.hidden; }).length;
    put(document.getElementById('dz-found'), found < rows.length ? ' ' + found + ' of ' + rows.length : '');
    const heads = Array.from(table.tHead.rows[0].cells);
    const by = wish.get('sort') || heads[0].textContent;
    const down = by.startsWith('-');
    const column = Math.max(0, heads.findIndex(function (head) { return head.textContent === by.replace('-', ''); }));
    const order = new Intl.Collator(undefined, { numeric: true });
    function key(row) { return row.cells[column].textContent; }
    rows.sort(function (a, b) { return order.compare(key(a), key(b)) * (down ? -1 : 1); });
    if (rows.some(function (row, i) { return row !== table.tBodies[0].rows[i]; })) table.tBodies[0].append(...rows);
    heads.forEach(function (head, i) {
      if (!head.firstElementChild) {
        const text = head.textContent;
        const sort = make('button', { type: 'button', id: 'dz-sort-' + i, textContent: text });
        sort.addEventListener('click', function () { wants('sort', head.ariaSort === 'ascending' ? '-' + text : text); });
        head.replaceChildren(sort);
      }
      head.ariaSort = i !== column ? null : down ? 'descending' : 'ascending';
    });
  }

  // The instance is asked only when the user wants that.
  function opinion(row) {
    const page = row.querySelector('a[rel~=noopener]');
    if (!page || row.classList.contains('dz-local') || row.querySelector('.dz-opinion')) return;
    const line = make('span', { className: 'dz-own dz-opinion' });
    const words = make('span', { ariaLive: 'polite' });
    const ask = make('button', { type: 'button', id: 'dz-ask-' + row.dataset.id, textContent: 'Ask it' });
    ask.setAttribute('aria-label', 'Ask it: ' + row.cells[1].textContent);
    ask.addEventListener('click', async function () {
      words.replaceChildren('asked …');
      said.set(row.dataset.id, await answer(page.href));
      for (const old of shown.querySelectorAll('.dz-opinion')) old.remove();
      const find = finder(ask);
      const focused = ask === document.activeElement;
      arrange();
      if (focused && find()) find().focus({ preventScroll: true });
      tick();
    });
    words.append(...(said.get(row.dataset.id) || []));
    line.append(words, ' ', ask);
    row.cells[2].append(line);
  }

  async function answer(page) {
    try {
      const limit = AbortSignal.timeout(5000);
      const reply = await fetch(page + '.json?history=no', { credentials: 'include', cache: 'no-store', signal: limit });
      const report = await reply.json();
      if (!reply.ok) return ['says: ' + report.error.message];
      const since = make('span', {});
      since.dataset.since = report.status.sinceMillis;
      const settled = report.status.state === 'SETTLED';
      const agrees = settled && String(report.view.number) === shown.dataset.view;
      return [agrees ? 'agrees, for ' : settled ? 'lags: has another view, for ' : 'says: ' + report.status.sentence + ', for ', since];
    } catch (e) {
      return ['no answer: open its page to log in, or to see that it does not run'];
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

  localize(shown);
  title();
  setInterval(tick, 1000);
  if (live) last = comparable(shown.cloneNode(true));
  arrange();
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
