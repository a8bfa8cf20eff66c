// Which part of the picture is to be seen, and how large: by mouse, by touch and by the keys of the page.

const LEAST_SCALE = 0.08;
const MOST_SCALE = 4;

/** A picture that fits is not drawn larger than this. */
const MOST_FIT = 1.5;
const MARGIN = 24;

/** Below it, boxes have no text that can be read: the names of sites are drawn larger instead. */
const FAR_SCALE = 0.45;
const STEP = 1.25;

export class Viewport {
  #svg;
  #world;
  #content = { width: 1, height: 1 };
  #pointers = new Map();
  #moved = 0;
  scale = 1;
  x = 0;
  y = 0;

  /** Whether the whole picture is shown whatever becomes of it: until somebody moves it. */
  isFitted = true;

  constructor(svg, world) {
    this.#svg = svg;
    this.#world = world;
    svg.addEventListener("wheel", event => this.#wheel(event), { passive: false });
    svg.addEventListener("pointerdown", event => this.#down(event));
    svg.addEventListener("pointermove", event => this.#move(event));
    ["pointerup", "pointercancel", "pointerleave"].forEach(kind => svg.addEventListener(kind, event => this.#up(event)));
    svg.addEventListener("click", event => {
      if (this.#moved > 6) {
        event.stopPropagation();
      }
    }, true);
    new ResizeObserver(() => this.onResize()).observe(svg);
  }

  /** How much of the window's lower edge is taken by other things. */
  below = 0;

  /** What the page does when the window has another size. */
  onResize() {
    this.refit();
  }

  size() {
    return { width: Math.max(80, this.#svg.clientWidth), height: Math.max(80, this.#svg.clientHeight) };
  }

  /** The size within which the picture is to fit. */
  room() {
    const { width, height } = this.size();
    return { width: width - 2 * MARGIN, height: Math.max(80, height - 2 * MARGIN - this.below) };
  }

  setContent(width, height) {
    this.#content = { width, height };
    this.refit();
  }

  refit() {
    if (this.isFitted) {
      this.fit();
    }
  }

  fit() {
    const room = this.room();
    this.isFitted = true;
    this.scale = Math.max(LEAST_SCALE,
      Math.min(MOST_FIT, room.width / this.#content.width, room.height / this.#content.height));
    this.x = MARGIN + (room.width - this.#content.width * this.scale) / 2;
    this.y = MARGIN + (room.height - this.#content.height * this.scale) / 2;
    this.#apply();
  }

  zoom(factor) {
    const { width, height } = this.size();
    this.#zoomAt(width / 2, height / 2, factor);
  }

  zoomIn() {
    this.zoom(STEP);
  }

  zoomOut() {
    this.zoom(1 / STEP);
  }

  /** Brings a place of the picture to the middle, large enough to be read. */
  lookAt(x, y) {
    const { width, height } = this.size();
    this.isFitted = false;
    this.scale = Math.max(this.scale, 0.9);
    this.x = width / 2 - x * this.scale;
    this.y = height / 2 - y * this.scale;
    this.#apply();
  }

  /** Moves as little as brings a box into sight. */
  reveal(box) {
    const { width, height } = this.size();
    const left = this.x + box.x * this.scale;
    const top = this.y + box.y * this.scale;
    const right = left + box.width * this.scale;
    const bottom = top + box.height * this.scale;
    const dx = left < MARGIN ? MARGIN - left : right > width - MARGIN ? width - MARGIN - right : 0;
    const dy = top < MARGIN ? MARGIN - top : bottom > height - MARGIN ? height - MARGIN - bottom : 0;
    if (dx !== 0 || dy !== 0) {
      this.isFitted = false;
      this.x += dx;
      this.y += dy;
      this.#apply();
    }
  }

  #apply() {
    this.#world.setAttribute("transform", `translate(${this.x.toFixed(2)},${this.y.toFixed(2)}) scale(${this.scale.toFixed(4)})`);
    this.#svg.classList.toggle("far", this.scale < FAR_SCALE);
    this.#svg.style.setProperty("--unscale", Math.min(6, 1 / this.scale));
  }

  #zoomAt(px, py, factor) {
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.scale * factor));
    this.isFitted = false;
    this.x = px - (px - this.x) * scale / this.scale;
    this.y = py - (py - this.y) * scale / this.scale;
    this.scale = scale;
    this.#apply();
  }

  #place(event) {
    const rect = this.#svg.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  }

  #wheel(event) {
    event.preventDefault();
    const { x, y } = this.#place(event);
    this.#zoomAt(x, y, Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)));
  }

  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) {
      return;
    }
    if (this.#pointers.size === 0) {
      this.#moved = 0;
    }
    this.#pointers.set(event.pointerId, this.#place(event));
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      return;
    }
    const now = this.#place(event);
    this.#moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (this.#moved > 6) {
      this.#svg.setPointerCapture(event.pointerId);
      this.#svg.classList.add("moving");
      this.isFitted = false;
      if (this.#pointers.size === 2) {
        const other = [...this.#pointers.entries()].find(([id]) => id !== event.pointerId)[1];
        const distance = point => Math.hypot(point.x - other.x, point.y - other.y);
        this.#zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, distance(now) / Math.max(1, distance(before)));
      } else {
        this.x += now.x - before.x;
        this.y += now.y - before.y;
        this.#apply();
      }
    }
    this.#pointers.set(event.pointerId, now);
  }

  #up(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#pointers.size === 0) {
      this.#svg.classList.remove("moving");
    }
  }
}
