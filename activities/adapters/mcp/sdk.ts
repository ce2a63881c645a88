/** The official SDK, loaded by the first try that needs a server: a worker without any does not pay for it. */
export async function loadMcpSdk() {
  const [client, http, stdio, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/shared/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return {
    Client: client.Client,
    StreamableHTTPClientTransport: http.StreamableHTTPClientTransport,
    StreamableHTTPError: http.StreamableHTTPError,
    ReadBuffer: stdio.ReadBuffer,
    serializeMessage: stdio.serializeMessage,
    McpError: types.McpError,
    ErrorCode: types.ErrorCode,
    isAnswer: (message: unknown) => types.isJSONRPCResultResponse(message) || types.isJSONRPCErrorResponse(message),
    /** Accepts any result: its content is read here, piece by piece, so that one bad piece does not spoil the rest. */
    AnyResult: types.ResultSchema,
  };
}

export type McpSdk = Awaited<ReturnType<typeof loadMcpSdk>>;

// Its types also come through the dynamic import: a static one cannot name a module of the other format.
export type Client = InstanceType<McpSdk['Client']>;
export type Transport = Parameters<Client['connect']>[0];
export type McpMessage = Parameters<Transport['send']>[0];
export type HttpTransport = InstanceType<McpSdk['StreamableHTTPClientTransport']>;
