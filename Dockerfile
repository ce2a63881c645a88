# syntax=docker/dockerfile:1
# Debian and not Alpine: Temporal's native core has no musl build.
FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:20-bookworm-slim AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production
# For TLS to a Temporal server and to channels; the slim image has no certificates of its own.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/thermidor
COPY --from=dependencies /build/node_modules ./node_modules
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/dist ./dist
# What `thermidor init --template` writes.
COPY --from=build /build/examples/templates ./examples/templates
COPY deploy/healthcheck.mjs ./
RUN ln -s /opt/thermidor/dist/cli/main.js /usr/local/bin/thermidor
# The working folder: programs come with the image, state is a volume that all workers of one fleet share.
WORKDIR /srv/thermidor
COPY pipelines ./pipelines
# Who approves, and where messages go.
COPY thermidor.yaml ./
RUN mkdir .thermidor && chown node:node .thermidor
VOLUME /srv/thermidor/.thermidor
USER node
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s --retries=3 CMD ["node", "/opt/thermidor/healthcheck.mjs"]
ENTRYPOINT ["thermidor"]
CMD ["worker"]
