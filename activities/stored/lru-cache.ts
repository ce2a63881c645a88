interface Kept<T> {
  value: Promise<T>;
  weight: number;
}

/**
 * Keeps the most recently used values, and makes missing ones; a value that failed to be made is not kept. The total weight stays within
 * the limit; the newest is kept whatever it weighs.
 */
export class LruCache<T> {
  private readonly kept = new Map<string, Kept<T>>();
  private weight = 0;

  constructor(private readonly limit: number) {}

  async get(key: string, make: () => Promise<T>, weight = 1): Promise<T> {
    const found = this.take(key) ?? { value: make(), weight };
    // A Map remembers insertion order, so the first key is the least recently used.
    this.kept.set(key, found);
    this.weight += found.weight;
    for (const oldest of this.kept.keys()) {
      if (this.weight <= this.limit || this.kept.size === 1) break;
      this.take(oldest);
    }
    try {
      return await found.value;
    } catch (error) {
      if (this.kept.get(key) === found) this.take(key);
      throw error;
    }
  }

  private take(key: string): Kept<T> | undefined {
    const found = this.kept.get(key);
    if (found && this.kept.delete(key)) this.weight -= found.weight;
    return found;
  }
}
