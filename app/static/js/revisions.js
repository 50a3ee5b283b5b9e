// What is typed is kept: in this browser at once, on the server soon after, each time with the revision that it began
// from, so that nothing overwrites what it has not seen. Its page says what a text stands for and shows what happens:
//
//   address, keys, pause      where it is saved; its keys in this browser, old ones last; milliseconds after the last key
//   fields, textOf            a text as fields, and back
//   otherIn, headers, extra   the field of a 409 with the other version; what else a request says
//   stamp, grows              what else tells where a copy began; the names of its numbers that only grow
//   follows, mayGo            another's text is shown; false: not at this moment
//   adopted, saved, failed, refused, met, show, displaced    what happened
import { local } from "./storage.js";

// While keys go on, it is saved at least so often.
const LONGEST_MS = 5000;
const TIMEOUT_MS = 20_000;
const RETRY_MAX_MS = 30_000;
// After a save that a page on its way does not know of: that page has this copy alone.
const SAVED_COPY_MS = 5000;
// Bytes; browsers refuse more than 64 KiB.
const KEEPALIVE_MAX = 60_000;
const ELSEWHERE = "in another tab or on another device";

// Back, or a tab that was discarded: the page as it once came, without what was saved since.
const [came] = performance.getEntriesByType("navigation");
if (came?.type === "back_forward" && came.transferSize === 0 && navigator.onLine) location.reload();

// By the clock of the copies: when this page was asked for.
const requestedAt = Date.now() - performance.now();
const tab = crypto.getRandomValues(new Uint32Array(2)).join();

export class Revisions {
  /** The text in this tab; null: not opened yet. */
  now = null;
  /** Texts sent last, whose reply may have been lost. */
  tried = [];
  /** Another's version, until one of the two is chosen: { text, body, where }. */
  other = null;
  /** This browser took the last copy. */
  isKept = true;
  /** The server does not take this text. */
  isRefused = false;
  isClosed = false;
  failures = 0;
  /** The request on its way, as a promise, and its text. */
  saving = null;
  sending = null;
  /** When the first key was pressed that is not saved. */
  since = null;
  timer = 0;
  copyTimer = 0;

  constructor(body, page) {
    this.page = page;
    this.serverHas(body);
  }

  serverHas(body) {
    this.body = body;
    this.server = this.page.textOf(body);
    this.revision = body.revision;
  }

  get isSaved() {
    return this.now === null || this.now === this.server;
  }

  /** Goes on with the copy in this browser, if there is one. What the server got meanwhile is to be chosen from. */
  open() {
    const copy = this.copy();
    const isOwn = local.readJson(this.page.keys[0]) !== null;
    const { stamp, grows = [] } = this.page;
    this.now = copy ? this.page.textOf(copy) : this.server;
    this.tried = copy?.tried ?? [];
    if (!copy) return;
    const isAny = [this.revision, ...Object.values(stamp ?? {})].some(Boolean);
    // The page was made before what this browser saved last, which is no other version. (What a guest saved counts by
    // itself.) The server refuses a revision that it does not know.
    if (isOwn && copy.revision > this.revision) this.revision = copy.revision;
    if (isOwn) for (const name of grows) if (this.isAhead(copy, name)) stamp[name] = copy[name];
    this.store();
    const began = Object.entries({ revision: this.revision, ...stamp });
    const isOlder = isAny && began.some(([name, value]) => copy[name] !== value);
    if (isOlder && !this.isSaved && !this.tried.includes(this.server)) this.ask();
  }

  /** This text stands in the page now. */
  edit(text, pause) {
    if (this.isClosed) return;
    this.now = text;
    this.isRefused = false;
    this.keep();
    if (this.isSaved) this.rest();
    else this.schedule(pause);
  }

  rest() {
    clearTimeout(this.timer);
    this.since = null;
    this.failures = 0;
  }

  schedule(pause = this.page.pause) {
    // A choice or a retry is due.
    if (this.other || this.failures) return;
    this.since ??= Date.now();
    this.saveIn(Math.max(0, Math.min(pause, this.since + LONGEST_MS - Date.now())));
  }

  saveIn(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), pause);
  }

  // On the server

  /** Whether the server has what stands here. */
  async save() {
    clearTimeout(this.timer);
    const hasWaited = this.saving !== null;
    while (this.saving) await this.saving;
    if (!this.isUnsent() || (hasWaited && this.failures)) return this.isSaved;
    if (this.page.mayGo && !this.page.mayGo()) {
      this.saveIn(this.page.pause);
      return false;
    }
    return this.send();
  }

  isUnsent() {
    return !this.isSaved && !this.other && !this.isRefused && !this.isClosed;
  }

  async send() {
    clearTimeout(this.timer);
    this.since = null;
    const text = this.sending = this.now;
    this.saving = this.put(text);
    const { status, body, wait } = await this.saving;
    this.saving = this.sending = null;
    const other = body?.[this.page.otherIn];
    if (status === 200) this.settle(text, { ...this.page.fields(text), ...body });
    else if (status === 409 && other) {
      // A server restored from a backup counts from where it was.
      this.revision = Math.min(this.revision, other.revision - 1);
      this.meet(other, ELSEWHERE);
    } else if (status === 0 || status === 401 || status === 429 || status >= 500) this.retry(status, wait);
    else {
      this.isRefused = true;
      this.page.refused(status, body);
    }
    return this.isSaved;
  }

  async put(text) {
    this.goes(text);
    this.store();
    const body = JSON.stringify({ ...this.page.fields(text), revision: this.revision, ...this.page.extra?.() });
    try {
      const reply = await fetch(this.page.address, {
        method: "PUT", body, headers: { "Content-Type": "application/json", ...this.page.headers },
        keepalive: new Blob([body]).size < KEEPALIVE_MAX, signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const isJson = reply.headers.get("content-type")?.startsWith("application/json");
      return { status: reply.status, body: isJson ? await reply.json() : null, wait: Number(reply.headers.get("retry-after")) || 0 };
    } catch {
      document.dispatchEvent(new Event("lectern:lost"));
      return { status: 0, body: null, wait: 0 };
    }
  }

  settle(text, body) {
    const isAgain = this.failures > 0;
    const isLast = this.now === text;
    const isFirst = !this.revision;
    this.failures = 0;
    this.tried = [];
    this.adopt(body, true);
    // The server may keep another text than was sent, as of a NUL: nobody waits for more.
    if (isLast && !this.isSaved) this.show();
    if (isFirst) this.keepForAWhile();
    else this.keep();
    this.announce?.(body);
    if (!this.isSaved) this.schedule();
    this.page.saved(body, isAgain);
  }

  /** On its way to the server: found there, it is this tab's own. */
  goes(text = this.now) {
    this.tried = [...this.tried.filter((one) => one !== text).slice(-1), text];
  }

  /** The server cannot be reached, or has no time: again, each time twice as late, and at once when it is back. */
  retry(status, waitSeconds) {
    this.failures += 1;
    this.saveIn(Math.max(waitSeconds * 1000, Math.min(RETRY_MAX_MS, 1000 * 2 ** this.failures)));
    this.page.failed(status);
  }

  /** The page goes away: the reply finds nobody, and the copy in this browser stays until it is known. */
  leave() {
    if (!this.isUnsent() || this.sending === this.now) return;
    // Beside the one on its way, whose reply nobody waits for either.
    if (this.saving) this.put(this.now);
    else this.send();
  }

  /** Nothing more is taken. */
  close() {
    clearTimeout(this.timer);
    this.isClosed = true;
    local.write(this.page.keys[0], null);
  }

  // Two versions: nothing is taken from anybody

  meet(body, where) {
    if (this.isClosed || body.revision <= (this.other?.body.revision ?? this.revision)) return;
    const text = this.page.textOf(body);
    const isTaken = this.now === null || this.now === text || (this.page.follows && this.isSaved && !this.other);
    // This tab sent it, and the reply was lost; or began from it.
    const isMine = text === this.server || this.tried.includes(text);
    if (isTaken) this.take(body);
    else if (isMine) {
      this.adopt(body);
      this.save();
    } else {
      clearTimeout(this.timer);
      this.other = { text, body, where };
      if (!this.isSaved) this.store();
    }
    this.page.met(isTaken || isMine, where);
  }

  /** What stands here and what the server has are to be chosen from. */
  ask() {
    this.other = { text: this.server, body: this.body, where: ELSEWHERE };
  }

  adopt(body, isOwn = false) {
    this.serverHas(body);
    this.other = null;
    this.page.adopted?.(body, isOwn);
  }

  take(body) {
    this.adopt(body);
    if (this.now !== null && !this.isSaved) this.show();
    this.rest();
    this.keep();
  }

  show() {
    this.now = this.server;
    this.page.show(this.now);
  }

  takeOther() {
    this.take(this.other.body);
  }

  /** What stands here is saved over the other version, which was seen. */
  keepMine() {
    this.adopt(this.other.body);
    this.failures = 0;
    this.isRefused = false;
    this.keep();
    return this.save();
  }

  // In this browser

  /** Saved just now: a page that is on its way may not know it, and begins with this copy. Another tab's, which is
   * not saved, stays. */
  keepForAWhile() {
    const held = local.readJson(this.page.keys[0]);
    if (held && held.tab !== tab && !held.isSaved && this.page.textOf(held) !== this.server) return;
    this.store({ isSaved: this.isSaved });
    clearTimeout(this.copyTimer);
    this.copyTimer = setTimeout(() => this.keep(), SAVED_COPY_MS);
  }

  keep() {
    if (!this.isSaved) return this.store();
    const held = local.readJson(this.page.keys[0]);
    // Another tab's copy stays that tab's, unless the server has it.
    if (held && (held.tab === tab || this.page.textOf(held) === this.server)) local.write(this.page.keys[0], null);
  }

  store(more = {}) {
    const { fields, textOf, displaced, stamp, keys: [key, ...older] } = this.page;
    const held = local.readJson(key);
    const isOthers = held && held.tab !== tab && ![this.now, this.server, ...this.tried].includes(textOf(held));
    if (isOthers) displaced?.(held);
    this.isKept = local.writeJson(key, { ...fields(this.now), revision: this.revision, ...stamp, ...more, tried: this.tried, tab, at: Date.now() });
    if (this.isKept) for (const one of older) local.write(one, null);
  }

  /** The first copy that this page needs. Saved ones that it does not need are removed. */
  copy() {
    for (const key of this.page.keys) {
      const held = local.readJson(key);
      if (held?.isSaved && this.isKnown(held, key)) local.write(key, null);
      else if (held) return held;
    }
    return null;
  }

  /** Whether this page has what was saved: it was asked for later, or shows as much or more.
   *
   * attack: a guest leaves a computer that others use, their copy still there, and the next person's page opens with
   * it. defence: what is saved is never taken from a guest's copy to an account's page, nor by a later page. */
  isKnown(held, key) {
    if (key !== this.page.keys[0] || held.at < requestedAt) return true;
    return this.revision >= held.revision && !(this.page.grows ?? []).some((name) => this.isAhead(held, name));
  }

  isAhead(copy, name) {
    return Number(copy[name] ?? 0) > Number(this.page.stamp[name]);
  }
}

/** Save when the network is back and when the page goes away, and hear from other tabs. `all`: Revisions by name;
 * `elsewhere(name, body)`: what a tab says of others; `back()`: someone is back at this tab. */
export function connect(all, channelName, { elsewhere, back } = {}) {
  const each = Object.values(all);
  const again = () => { for (const one of each) if (one.failures) one.save(); };
  const isBack = () => { again(); back?.(); };
  addEventListener("online", again);
  document.addEventListener("lectern:back", again);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") for (const one of each) one.save();
    else isBack();
  });
  addEventListener("pageshow", (event) => { if (event.persisted) isBack(); });
  addEventListener("pagehide", () => { for (const one of each) one.leave(); });
  if (typeof BroadcastChannel !== "function") return;
  const channel = new BroadcastChannel(channelName);
  for (const [name, one] of Object.entries(all)) one.announce = (body) => channel.postMessage({ name, body });
  channel.addEventListener("message", ({ data: { name, body } }) => {
    if (name in all) all[name].meet(body, "in another tab");
    else elsewhere?.(name, body);
  });
}
