import { CallbackRefused } from './refusal';

const MOST_SENDERS = 10_000;
const MINUTE_MS = 60_000;

interface Bucket {
  tokens: number;
  at: number;
  /** The sender was told once that it is over the rate; further requests are not worth a line each. */
  notified: boolean;
}

/**
 * Allows `perMinute` requests a minute for each sender, all at once or spread (a token bucket). The table is bounded: when it is full, the
 * sender that was quiet for longest is forgotten.
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    private readonly now: () => number,
    private readonly mostSenders = MOST_SENDERS,
  ) {}

  /** Counts one request. Throws `CallbackRefused` 429 if the sender has none left. @param perMinute the sender's own rate */
  take(sender: string, perMinute = this.perMinute): void {
    const bucket = this.bucketOf(sender, perMinute);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      bucket.notified = false;
      return;
    }
    const waitS = Math.max(1, Math.ceil(((1 - bucket.tokens) * MINUTE_MS) / perMinute / 1000));
    const first = !bucket.notified;
    bucket.notified = true;
    throw new OverTheRate(waitS, first);
  }

  get size(): number {
    return this.buckets.size;
  }

  private bucketOf(sender: string, perMinute: number): Bucket {
    const now = this.now();
    const known = this.buckets.get(sender);
    const bucket = known ? refilled(known, now, perMinute) : { tokens: perMinute, at: now, notified: false };
    // Set again, so that the order of the table is the order of use.
    this.buckets.delete(sender);
    if (this.buckets.size >= this.mostSenders) {
      const [quietest] = this.buckets.keys();
      if (quietest !== undefined) this.buckets.delete(quietest);
    }
    this.buckets.set(sender, bucket);
    return bucket;
  }
}

export class OverTheRate extends CallbackRefused {
  constructor(
    waitS: number,
    /** The first refusal since a request was let through. */
    readonly first: boolean,
  ) {
    super(429, `too many requests; try again in ${waitS} s`, waitS);
  }
}

function refilled(bucket: Bucket, now: number, perMinute: number): Bucket {
  const gained = (Math.max(0, now - bucket.at) * perMinute) / MINUTE_MS;
  return { ...bucket, tokens: Math.min(perMinute, bucket.tokens + gained), at: now };
}

/** The sender at an address. All addresses of an IPv6 network count as one sender. */
export function senderAt(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
