import { programAdapter } from '../../../activities/adapters/cli-agent/adapter';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import { scratchFolder } from '../../activities/workshop';
import { agentPrograms, type ProgramFault, type Start } from '../../support/agent-programs/programs';
import type { Ability, AdapterUnderTest, Asked, Fault, Play } from '../play';
import { until } from './until';

/** A kind of program, in the words that the contract does not know. */
export interface ProgramUnderTest {
  preset: 'claude' | 'codex' | 'gemini';
  /** What it calls our tools. */
  tools: Readonly<Record<string, string>>;
  abilities?: readonly Ability[];
}

/** A program of an agent's, against a stand-in that is a real process and speaks its format. */
export function programUnderTest({ preset, tools, abilities = [] }: ProgramUnderTest): AdapterUnderTest {
  return {
    abilities: ['own-tools', 'streams', 'overload', 'bytes', 'program', ...abilities],
    async make({ environment }) {
      const fake = agentPrograms(scratchFolder());
      const before = new Map(Object.keys(environment).map((name) => [name, process.env[name]]));
      Object.assign(process.env, environment);
      return {
        adapter: programAdapter(preset, fake.spec(preset), new LocalSecrets({})),
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
  return { stable: argv.join('\n'), messages: [stdin] };
}

function inItsWords(
  { replies, faults = [] }: Play,
  tools: ProgramUnderTest['tools'],
): Parameters<ReturnType<typeof agentPrograms>['play']>[0] {
  return {
    replies: replies.map(({ text, calls = [], usage, raw }) => ({
      ...(text === undefined ? {} : { text }),
      calls: calls.map(({ tool, args }) => ({ tool: tools[tool] ?? tool, args })),
      ...(usage ? { usage } : {}),
      ...(raw ? { raw } : {}),
    })),
    faults: faults.map(({ at, fault }) => ({ at, ...faultOf(fault) })),
  };
}

type Kinds<F> = F extends { kind: string } ? Omit<F, 'at'> : never;

function faultOf(fault: Fault): Kinds<ProgramFault> {
  if (fault.kind === 'silent' || fault.kind === 'stalled' || fault.kind === 'error') return { kind: fault.kind };
  if (fault.kind === 'overloaded') return fault;
  throw new Error(`no program knows the fault "${fault.kind}"`);
}
