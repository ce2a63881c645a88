/** Keeps the values that were asked for last, and makes those it does not have; a value that failed to be made is not kept. */
export class Recent<T> {
  private readonly kept = new Map<string, Promise<T>>();

  constructor(private readonly limit: number) {}

  async get(key: string, make: () => Promise<T>): Promise<T> {
    const found = this.kept.get(key) ?? make();
    // A Map remembers insertion order, so the first key is the one asked for longest ago.
    this.kept.delete(key);
    this.kept.set(key, found);
    const oldest = this.kept.keys().next();
    if (this.kept.size > this.limit && !oldest.done) this.kept.delete(oldest.value);
    try {
      return await found;
    } catch (error) {
      if (this.kept.get(key) === found) this.kept.delete(key);
      throw error;
    }
  }
}
