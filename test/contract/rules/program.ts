import type { Rule } from '../rule';
import { GOOD } from '../stage';

export const PROGRAM: readonly Rule[] = [
  {
    name: 'sees nothing of the worker’s environment but what it is given',
    needs: ['program'],
    async check(open) {
      const secret = { THERMIDOR_ENCRYPTION_KEY: 'hush', DATABASE_PASSWORD: 'hush', NODE_OPTIONS: '--no-warnings' };
      const stage = await open({ replies: [{ text: GOOD }] }, { environment: secret });
      await stage.perform();
      const seen = stage.harness.environment?.() ?? {};
      expect(seen['PATH']).toBeDefined();
      for (const name of Object.keys(secret)) expect(Object.keys(seen)).not.toContain(name);
    },
  },
  {
    name: 'has ended when the step has',
    needs: ['program'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] });
      await stage.perform();
      await stage.harness.gone();
    },
  },
];
