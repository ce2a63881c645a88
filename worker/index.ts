/**
 * What an application needs that runs workers of its own: to start one, and to bring adapters and tools of its own (docs/adapters.md).
 * An adapter's acceptance test is `test/contract`.
 */
export { replyTokens, requireTurn } from '../activities/adapters/model/allowance';
export { modelAdapter } from '../activities/adapters/model/loop';
export {
  BrokenReply,
  type CountRequest,
  type ModelReply,
  type ModelRequest,
  type ModelService,
} from '../activities/adapters/model/service';
export type { AgentAdapter, AgentRequest, AgentTools, ReplyBound } from '../activities/agent-port';
export { answer, refused, type Tool, type ToolAnswer, type ToolUse } from '../activities/tools/tool';
export { FAILURES, type FailureCode, ThermidorFailure } from '../plan/failure';
export { field, isJsonObject, type Json, type JsonObject } from '../plan/json';
export type { ToolCall, ToolResult, ToolSpec } from '../plan/tool';
export type { Usage } from '../plan/usage';
export { isReply, openCalls, type Turn, type TurnStop, turnsOfRequest } from '../records/transcripts/turn';
export { type RunningWorker, startWorker, type WorkerOptions } from './worker';
