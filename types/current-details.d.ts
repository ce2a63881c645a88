export {};

declare module '@temporalio/workflow/lib/workflow' {
  /** The SDK only puts the details into the JSON that answers the query for metadata, so what has a `toJSON` is rendered then. */
  function setCurrentDetails(details: { toJSON: () => string }): void;
}
