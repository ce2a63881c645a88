import type { Payload, PayloadCodec } from '@temporalio/common';
import { isJsonPayload, readJsonPayload } from '../plan/run/json-payload';
import { field } from '../plan/text/json';
import type { ListingServer } from './closed-executions';

/** A server whose answers to queries, and messages of failures, are opened: these calls are not the SDK's, which would do so. */
export function openingServer(server: ListingServer, codec: PayloadCodec): ListingServer {
  const { workflowService: service } = server;
  const opening: Answers = {
    listWorkflowExecutions: (request) => service.listWorkflowExecutions(request),
    describeWorkflowExecution: (request) => service.describeWorkflowExecution(request),
    async getWorkflowExecutionHistoryReverse(request) {
      const answer = await service.getWorkflowExecutionHistoryReverse(request);
      for (const { workflowExecutionFailedEventAttributes: failed } of answer.history?.events ?? []) {
        const attributes = failed?.failure?.encodedAttributes;
        if (failed?.failure && attributes) failed.failure.message = await messageIn(codec, attributes);
      }
      return answer;
    },
    async queryWorkflow(request) {
      const answer = await service.queryWorkflow(request);
      const { queryResult } = answer;
      if (queryResult?.payloads) queryResult.payloads = await codec.decode(queryResult.payloads);
      return answer;
    },
  };
  return { withDeadline: (deadline, work) => server.withDeadline(deadline, work), workflowService: opening as Service };
}

type Service = ListingServer['workflowService'];
/** The calls alone: what the SDK adds to them describes how they are sent. */
type Answers = { [K in keyof Service]: (...request: Parameters<Pick<Service, K>[K]>) => ReturnType<Service[K]> };

async function messageIn(codec: PayloadCodec, attributes: Payload): Promise<string> {
  const [payload] = await codec.decode([attributes]);
  const message = payload && isJsonPayload(payload) ? field(readJsonPayload(payload), 'message') : undefined;
  return typeof message === 'string' ? message : '';
}
