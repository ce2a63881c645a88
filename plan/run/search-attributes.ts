/** The attributes of a run that the server indexes. */
export const SEARCH_ATTRIBUTES = ['ThermidorPipeline', 'ThermidorOwner', 'ThermidorState', 'ThermidorWaitingFor'] as const;
export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number];
