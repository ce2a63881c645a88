import { soleReporter } from '../../cli/monitoring/sole-reporter';
import { ThermidorFailure } from '../../plan/run/failure';
import type { HostPresence } from '../../records/host-presence';
import { MemoryLedger } from '../../records/memory/memory-store';

/** Processes of one store. Each gives signs of life until it leaves, or a test takes it for dead. */
function fleet() {
  const ledger = new MemoryLedger();
  const alive = new Set<object>();
  const isAway = { now: false };
  return {
    isAway,
    process() {
      const own = {};
      const presence = (): HostPresence => ({
        announce: async () => {
          alive.add(own);
          return async () => void alive.delete(own);
        },
        isAlive: async () => alive.size > 0,
        workers: async () => [],
      });
      const one = soleReporter(
        {
          ledger: {
            claim: async (...asked: Parameters<MemoryLedger['claim']>) => {
              if (isAway.now) throw new ThermidorFailure('store.unavailable', 'away');
              const log = await ledger.claim(...asked);
              const requireOwn = async () => {
                if (isAway.now) throw new ThermidorFailure('store.unavailable', 'away');
                await log.requireOwn();
              };
              return { ...log, before: log.before, requireOwn };
            },
          } as unknown as MemoryLedger,
          presence,
        },
        'default/thermidor',
      );
      return { ...one, falls: () => alive.delete(own) };
    },
  };
}

describe('of the processes that share a store', () => {
  it('one speaks, and the next when it leaves', async () => {
    const shared = fleet();
    const [a, b] = [shared.process(), shared.process()];
    const asked = async () => [await a.isThis(), await b.isThis()];
    await asked();
    expect(await asked()).toEqual([true, false]);
    expect(await asked()).toEqual([true, false]);
    await a.leave();
    await b.isThis();
    expect([await b.isThis(), await a.isThis()]).toEqual([true, false]);
  });

  it('another one speaks after one that was killed; if that continues, it is silent', async () => {
    const shared = fleet();
    const [a, b] = [shared.process(), shared.process()];
    for (const one of [a, a, b]) await one.isThis();
    a.falls();
    await b.isThis();
    expect(await b.isThis()).toBe(true);
    expect(await a.isThis()).toBe(false);
    expect(await b.isThis()).toBe(true);
  });

  it('two that begin at the same moment never both speak', async () => {
    const shared = fleet();
    const all = Array.from({ length: 5 }, () => shared.process());
    for (let i = 0; i < 4; i++) {
      const speaking = await Promise.all(all.map((one) => one.isThis()));
      expect(speaking.filter(Boolean).length).toBe(i === 0 ? 0 : 1);
    }
  });

  it('none speaks that does not reach the store', async () => {
    const shared = fleet();
    const a = shared.process();
    await a.isThis();
    shared.isAway.now = true;
    await expect(a.isThis()).rejects.toMatchObject({ code: 'store.unavailable' });
    shared.isAway.now = false;
    expect(await a.isThis()).toBe(true);
  });
});
