import { defined } from '../../plan/defined';
import { formatAddress } from '../../plan/steps/address';
import { addressOfCall } from '../../plan/steps/call-address';
import type { Turn } from '../../records/transcripts/turn';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import type { TraceSpan } from '../traces-port';
import { spanIdOf, stepSpanId, traceIdOf } from './span-ids';

/** The spans of one call's conversation: a reply of its model, or a tool that it called, each from the end of the one before. */
export interface TurnSpans {
  /** A request is made now. */
  asked(): void;
  /** A turn is recorded, as the so-manieth of the conversation. */
  recorded(turn: Turn, number: number): void;
}

/** Names follow the conventions of OpenTelemetry for generative AI. */
export function turnSpans({ traces, nowMs = Date.now }: Pick<Toolbox, 'traces' | 'nowMs'>, { key, id }: ActivityCall): TurnSpans {
  const address = addressOfCall({ id });
  let sinceMs = nowMs();
  return {
    asked() {
      sinceMs = nowMs();
    },
    recorded(turn, number) {
      const [startMs, endMs] = [sinceMs, Math.max(sinceMs, nowMs())];
      sinceMs = endMs;
      const told = traces && described(turn);
      if (!told) return;
      const parentId = address ? stepSpanId(key, formatAddress(address)) : spanIdOf(key);
      traces.add([{ traceId: traceIdOf(key), spanId: spanIdOf(key, 'turn', id, number), parentId, startMs, endMs, ...told }]);
    },
  };
}

function described({ role, model, usage, call, refused, stop }: Turn): Pick<TraceSpan, 'name' | 'attributes' | 'failed'> | undefined {
  if (role === 'tool' && call) {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': call.tool };
    return { name: `execute_tool ${call.tool}`, attributes, ...defined({ failed: refused ? 'refused' : undefined }) };
  }
  if (role !== 'assistant') return undefined;
  return {
    name: model === undefined ? 'chat' : `chat ${model}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...defined({
        'gen_ai.response.model': model,
        'gen_ai.usage.input_tokens': usage?.inputTokens,
        'gen_ai.usage.output_tokens': usage?.outputTokens,
        'thermidor.cost_microusd': usage?.costMicroUsd ?? undefined,
      }),
    },
    ...defined({ failed: stop === 'refused' || stop === 'broken' ? stop : undefined }),
  };
}
