import { sweepsAll } from '../support/sweep';
import type { AdapterUnderTest } from './play';
import type { Rule } from './rule';
import { AUTHORITY } from './rules/authority';
import { BUDGET } from './rules/budget';
import { CANCEL } from './rules/cancel';
import { ORDER } from './rules/order';
import { PROGRAM } from './rules/program';
import { REPAIR } from './rules/repair';
import { RESUME } from './rules/resume';
import { SERVICE } from './rules/service';
import { SILENCE } from './rules/silence';
import { SIZE } from './rules/size';
import { TOOLS } from './rules/tools';
import { USAGE_RULES } from './rules/usage';
import { openStage, type Stage } from './stage';

export const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'the order of events': ORDER,
  usage: USAGE_RULES,
  'a worker that dies': RESUME,
  'a bad reply': REPAIR,
  'a budget': BUDGET,
  cancelling: CANCEL,
  silence: SILENCE,
  authority: AUTHORITY,
  tools: TOOLS,
  'what is large, broken or secret': SIZE,
  'a service': SERVICE,
  'a program': PROGRAM,
};

export function rulesFor({ abilities, byAnothersTransport }: Omit<AdapterUnderTest, 'make'>): [about: string, rules: Rule[]][] {
  const isShown = byAnothersTransport === true && !sweepsAll();
  const may = ({ needs = [], oncePerTransport }: Rule) =>
    needs.every((ability) => abilities.includes(ability)) && !(isShown && oncePerTransport);
  return Object.entries(RULES).flatMap(([about, rules]): [string, Rule[]][] => {
    const kept = rules.filter(may);
    return kept.length > 0 ? [[about, kept]] : [];
  });
}

/**
 * The acceptance test of an adapter: every rule that its abilities call for, run by the real runner against a stand-in for the
 * adapter's other side. `docs/adapters.md` says how to bring one.
 */
export function describeAdapter(name: string, under: AdapterUnderTest): void {
  describe(`adapter ${name}`, () => {
    const open: Stage[] = [];
    afterEach(async () => {
      for (const stage of open.splice(0)) await stage.close();
    });
    describe.each(rulesFor(under))('%s', (_, rules) => {
      test.each(rules.map((rule) => [rule.name, rule] as const))('%s', async (_name, { check }) => {
        await check(
          async (play, options) => {
            const stage = await openStage(under.make, play, options);
            open.push(stage);
            return stage;
          },
          (ability) => under.abilities.includes(ability),
        );
      });
    });
  });
}
