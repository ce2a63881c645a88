import type { ModelReply, ModelRequest, ModelService } from '../../../activities/adapters/model/service';
import type { Usage } from '../../../plan/budgets/usage';

/** A service that gives the replies of a list one after the other, and then repeats the last. An error in the list is thrown. */
export interface FakeService extends ModelService {
  requests: ModelRequest[];
}

export type Given = Partial<ModelReply> | Error | ((request: ModelRequest) => Partial<ModelReply>);

export function fakeService(...given: readonly Given[]): FakeService {
  const requests: ModelRequest[] = [];
  return {
    name: 'fake',
    requests,
    async reply(request) {
      requests.push({ ...request, turns: [...request.turns] });
      const next = given[Math.min(requests.length, given.length) - 1] ?? {};
      if (next instanceof Error) throw next;
      return { text: '', calls: [], model: request.model, usage: used(100, 10), ...(typeof next === 'function' ? next(request) : next) };
    },
  };
}

export function used(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
}

export const READ = { calls: [{ id: 'c', tool: 'read_file', args: { path: 'a' } }] };
