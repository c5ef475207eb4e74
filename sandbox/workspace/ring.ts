/** Keeps the newest `capacity` entries; adding is O(1). */
export class Ring<T> {
  readonly #capacity: number;
  readonly #kept: T[] = [];
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(entry: T): void {
    this.#kept[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Oldest first. */
  all(): T[] {
    if (this.#kept.length < this.#capacity) return [...this.#kept];
    return [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)];
  }

  clear(): void {
    this.#kept.length = 0;
    this.#next = 0;
  }
}
