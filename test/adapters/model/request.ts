import type { AgentRequest } from '../../../activities/agent-port';
import type { ToolCall, ToolResult } from '../../../plan/agents/tool';
import type { Turn } from '../../../records/transcripts/turn';

/** A request as the runner makes it, and the work around it: records what is yielded and what tools answer. */
export interface Asked {
  request: AgentRequest;
  transcript: Turn[];
  /** Calls as they were made. */
  made: ToolCall[];
  /** Reservations, in order. */
  afforded: number[];
}

export interface Asking extends Partial<Omit<AgentRequest, 'transcript'>> {
  transcript?: readonly Turn[];
  /** The tools' answer. @default the call itself */
  answer?: (call: ToolCall) => ToolResult;
}

export function asked({ transcript: given, answer, ...parts }: Asking = {}): Asked {
  const { prompt = 'What is the price?' } = parts;
  const transcript: Turn[] = [...(given ?? [{ role: 'user', text: prompt }])];
  const made: ToolCall[] = [];
  const afforded: number[] = [];
  const request: AgentRequest = {
    idempotencyKey: 'daily/run-1/price#1~1/1',
    stepId: 'price',
    address: { path: [{ id: 'price' }], round: 1, try: 1 },
    ask: 1,
    agent: { id: 'analyst', role: 'You watch prices.\n\nYou are exact.', model: 'claude-test' },
    system: '# Role\n\nYou watch prices.',
    prompt,
    transcript: () => transcript,
    cwd: '/nowhere',
    afford: (usage) => {
      afforded.push(usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens);
    },
    tools: {
      specs: [
        { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
      ],
      async call(call) {
        made.push(call);
        const result = answer?.(call) ?? { text: `${call.tool} ${JSON.stringify(call.args)}` };
        transcript.push({ role: 'tool', call, ...result });
        return result;
      },
    },
    ...parts,
  };
  return { request, transcript, made, afforded };
}
