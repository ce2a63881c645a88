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
# A third of it serves other machines and debuggers.
RUN find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && find node_modules -name '*.map' -delete

FROM node:20-bookworm-slim
ENV NODE_ENV=production
# git and ssh for worktrees and merges, certificates for TLS, and a first process that passes signals on and buries what
# programs of steps leave behind.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git openssh-client tini \
  && rm -rf /var/lib/apt/lists/*
# Programs of agents, as npm packages: --build-arg PROGRAMS="@openai/codex@0.169.0"
ARG PROGRAMS=""
RUN if [ -n "$PROGRAMS" ]; then npm install --global $PROGRAMS && npm cache clean --force; fi
WORKDIR /opt/thermidor
COPY --from=dependencies /build/node_modules ./node_modules
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/dist ./dist
# What `thermidor init --template` writes.
COPY --from=build /build/examples/templates ./examples/templates
COPY deploy/healthcheck.mjs ./
RUN ln -s /opt/thermidor/dist/cli/main.js /usr/local/bin/thermidor
# The working folder: pipelines and settings come with the image, or are mounted over it.
WORKDIR /srv/thermidor
COPY pipelines ./pipelines
COPY thermidor.yaml ./
# What belongs to this host alone: its state folder and its worktrees.
ENV THERMIDOR_STATE_DIR=/var/lib/thermidor/state THERMIDOR_WORKTREES=/var/lib/thermidor/worktrees
RUN mkdir /var/lib/thermidor && chown node:node /var/lib/thermidor
VOLUME /var/lib/thermidor
USER node
EXPOSE 9464
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "/opt/thermidor/healthcheck.mjs", "http://127.0.0.1:9464/readyz"]
ENTRYPOINT ["tini", "--", "thermidor"]
CMD ["worker", "--metrics-port", "9464"]
