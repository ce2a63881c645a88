import { programAdapter } from '../../../activities/adapters/cli-agent/adapter';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { CliPreset, ProgramSpec } from '../../../plan/agents/adapter';
import { defined } from '../../../plan/defined';
import { scratchFolder } from '../../activities/workshop';
import { agentPrograms, type ProgramFault, type Start } from '../../support/agent-programs/programs';
import { until } from '../../support/until';
import type { Ability, AdapterUnderTest, Asked, Fault, Play } from '../play';

/** The facts about a kind of program that the contract does not know. */
export interface ProgramUnderTest {
  /** Absent: a template, as the setting says. */
  preset?: CliPreset;
  setting?: Partial<ProgramSpec>;
  /** The program's names for our tools. */
  tools?: Readonly<Record<string, string>>;
  abilities: readonly Ability[];
  byAnothersTransport?: true;
}

/** The abilities of every program that prints a line for each text and each call. */
export const IN_LINES: readonly Ability[] = ['own-tools', 'streams', 'overload', 'bytes', 'program'];

/** An agent's program, played by a stand-in: a real process that speaks its format. */
export function programUnderTest({ preset, setting, tools = {}, abilities, ...more }: ProgramUnderTest): AdapterUnderTest {
  return {
    ...more,
    abilities,
    async make({ environment }) {
      const fake = agentPrograms(scratchFolder());
      const before = new Map(Object.keys(environment).map((name) => [name, process.env[name]]));
      Object.assign(process.env, environment);
      return {
        adapter: programAdapter(preset ?? 'mybot', fake.spec(preset, setting), new LocalSecrets({})),
        play: (play) => fake.play(inItsWords(play, tools)),
        asked: () => fake.asked().map(askedOf),
        paid: () => fake.paid(),
        still: () => fake.still(),
        go: () => void fake.go(),
        gone: () => until(() => fake.running().length === 0),
        environment: () => fake.asked()[0]?.env ?? {},
        async close() {
          fake.close();
          for (const [name, value] of before) {
            if (value === undefined) delete process.env[name];
            else process.env[name] = value;
          }
        },
      };
    },
  };
}

function askedOf({ argv, stdin }: Start): Asked {
  // A program that takes its prompt as an argument takes it as the last.
  return { stable: argv.join('\n'), messages: [stdin === '' ? (argv.at(-1) ?? '') : stdin] };
}

function inItsWords(
  { replies, faults = [] }: Play,
  tools: Readonly<Record<string, string>>,
): Parameters<ReturnType<typeof agentPrograms>['play']>[0] {
  return {
    replies: replies.map(({ text, calls = [], usage, raw, model }) => ({
      ...defined({ text }),
      calls: calls.map(({ tool, args }) => ({ tool: tools[tool] ?? tool, args })),
      ...(usage ? { usage } : {}),
      ...defined({ model }),
      ...(raw ? { raw } : {}),
    })),
    faults: faults.map(({ at, fault }) => ({ at, ...faultOf(fault) })),
  };
}

type Kinds<F> = F extends { kind: string } ? Omit<F, 'at'> : never;

function faultOf(fault: Fault): Kinds<ProgramFault> {
  if (fault.kind === 'silent' || fault.kind === 'stalled' || fault.kind === 'busy' || fault.kind === 'error') return { kind: fault.kind };
  if (fault.kind === 'overloaded') return fault;
  throw new Error(`no program knows the fault "${fault.kind}"`);
}
