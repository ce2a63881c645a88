import { type ProgramOptions, programAdapter } from '../../../activities/adapters/cli-agent/adapter';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { AgentRequest } from '../../../activities/agent-port';
import type { CliPreset, ProgramSpec } from '../../../plan/agents/adapter';
import type { Turn } from '../../../records/transcripts/turn';
import { scratchFolder } from '../../activities/workshop';
import { type AgentPrograms, agentPrograms, type ProgramPlay } from '../../support/agent-programs/programs';

/** An adapter for a stand-in, and as simple a runner as possible: it records turns as they come. */
export interface Asking {
  fake: AgentPrograms;
  transcript: Turn[];
  /** Everything that one request yielded; the prompt is recorded first. Without a prompt the last request continues. */
  ask(prompt?: string, more?: Partial<AgentRequest>, signal?: AbortSignal): Promise<Turn[]>;
  cwd: string;
}

const open: AgentPrograms[] = [];
afterEach(() => {
  for (const fake of open.splice(0)) fake.close();
});

export const NEVER = new AbortController().signal;
export const AGENT = { id: 'bull', role: 'You make the bull case.' };

export function asking(
  preset: CliPreset | undefined,
  play: ProgramPlay,
  spec: Partial<ProgramSpec> = {},
  options: ProgramOptions = {},
): Asking {
  const fake = agentPrograms(scratchFolder());
  open.push(fake);
  fake.play(play);
  const secrets = new LocalSecrets({ MY_TOKEN: 'tok-0123456789' });
  const adapter = programAdapter(preset ?? 'mine', fake.spec(preset, spec), secrets, options);
  const transcript: Turn[] = [];
  const cwd = scratchFolder();
  return {
    fake,
    transcript,
    cwd,
    async ask(prompt, more = {}, signal = NEVER) {
      if (prompt !== undefined) transcript.push({ role: 'user', text: prompt });
      const request: AgentRequest = {
        ...{ idempotencyKey: 'demo/first-run/work#1~1/1', stepId: 'work', address: { path: [{ id: 'work' }], round: 1, try: 1 }, ask: 1 },
        ...{
          agent: AGENT,
          system: 'You make the bull case.',
          prompt: prompt ?? transcript.findLast(({ role }) => role === 'user')?.text ?? '',
        },
        ...{ transcript: () => transcript, cwd },
        ...more,
      };
      const from = transcript.length;
      for await (const turn of adapter.run(request, signal)) transcript.push(turn);
      return transcript.slice(from);
    },
  };
}
