import { field, type JsonObject } from '../../../plan/text/json';
import type { Serve } from '../model-server/received';
import { fail, type Served, type ServedError } from '../model-server/served';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server/server';
import { COMPLETIONS } from './dialect';
import type { CompletionsReply } from './served';

export interface CompletionsServerOptions extends ModelServerOptions {
  /** Fields that the server does not know. */
  refuses?: readonly string[];
}

/** A local server that speaks chat completions. `model-server/server.ts` says how it is used. */
export async function startCompletionsServer(
  serve: Serve<CompletionsReply> | readonly Served<CompletionsReply>[],
  { refuses = [], ...options }: CompletionsServerOptions = {},
): Promise<ModelServer> {
  return await startModelServer({ ...COMPLETIONS, refusal: (body) => refusalOf(body, refuses) }, serve, options);
}

/** An error in the words of the official service. */
function refusalOf(body: JsonObject, refuses: readonly string[]): ServedError | undefined {
  const param = refuses.find((word) => field(body, word) !== undefined);
  if (param === undefined) return undefined;
  return fail(400, `Unsupported parameter: '${param}' is not supported with this model.`, { code: 'unsupported_parameter', param });
}
