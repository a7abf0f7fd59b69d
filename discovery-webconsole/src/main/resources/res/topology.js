// SPDX-License-Identifier: Apache-2.0
// Keeps the page up to date in place: asks for the same page again and changes only what differs, so that focus, scroll
// position and selection stay. The page is complete without this.
(function () {
  'use strict';
  const shown = document.getElementById('discovery-topology');
  if (!shown || !window.fetch || !window.DOMParser) return;
  const period = 2000;
  const live = shown.parentNode.querySelector('.dz-live');
  const note = document.createElement('span');
  const button = document.createElement('button');
  const old = document.createElement('p');
  let paused = false;
  let timer = 0;
  let failures = 0;
  let lastAnswer = new Date();

  button.type = 'button';
  live.append(note, button);
  old.className = 'dz-old';
  old.setAttribute('role', 'alert');

  function label() {
    note.textContent = paused ? 'Paused.' : 'Updates by itself.';
    button.textContent = paused ? 'Resume' : 'Pause';
  }

  // Sections and rows carry a key, so that they stay what they are when others come and go beside them.
  function key(node) {
    return node.dataset ? node.dataset.key : undefined;
  }

  function sync(a, b) {
    if (a.nodeType !== Node.ELEMENT_NODE) {
      if (a.nodeValue !== b.nodeValue) a.nodeValue = b.nodeValue;
      return;
    }
    for (const { name } of Array.from(a.attributes)) {
      if (!b.hasAttribute(name)) a.removeAttribute(name);
    }
    for (const { name, value } of Array.from(b.attributes)) {
      if (a.getAttribute(name) !== value) a.setAttribute(name, value);
    }
    const wanted = Array.from(b.childNodes);
    wanted.forEach(function (node, i) {
      const kept = key(node) && Array.from(a.childNodes).slice(i).find(function (c) { return key(c) === key(node); });
      while (kept && a.childNodes[i] !== kept) a.childNodes[i].remove();
      const present = a.childNodes[i];
      if (!present) a.append(document.importNode(node, true));
      else if (key(present) !== key(node)) present.before(document.importNode(node, true));
      else if (present.nodeType === node.nodeType && present.nodeName === node.nodeName) sync(present, node);
      else present.replaceWith(document.importNode(node, true));
    });
    while (a.childNodes.length > wanted.length) a.lastChild.remove();
  }

  function failed() {
    failures++;
    old.textContent = 'No answer from the server since ' + lastAnswer.toLocaleTimeString() + '. What is shown is old.';
    if (failures > 1 && !old.isConnected) shown.before(old);
  }

  async function update() {
    const abort = new AbortController();
    const patience = setTimeout(function () { abort.abort(); }, 10000);
    try {
      const answer = await fetch(location.href, { credentials: 'same-origin', cache: 'no-store', signal: abort.signal });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.getElementById('discovery-topology');
      if (!fresh) throw new Error('Not the topology page');
      if (!paused) sync(shown, fresh);
      failures = 0;
      lastAnswer = new Date();
      old.remove();
    } catch (e) {
      failed();
    } finally {
      clearTimeout(patience);
    }
  }

  async function tick() {
    timer = 0;
    if (paused || document.hidden) return;
    await update();
    schedule();
  }

  function schedule() {
    if (!timer && !paused && !document.hidden) timer = setTimeout(tick, failures > 2 ? 4 * period : period);
  }

  button.addEventListener('click', function () {
    paused = !paused;
    label();
    schedule();
  });
  document.addEventListener('visibilitychange', schedule);
  label();
  schedule();
})();
