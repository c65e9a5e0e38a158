# Bellhop in a container. What is copied here, and nothing else, is started by a test in an empty directory.
# Data is in /bellhop/data, where the default of DATABASE_URL has it; the rest of the file system may be read-only.

# Another one by --build-arg: the same by its digest, as docs/running.md says.
ARG NODE_IMAGE=node:24.21-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /bellhop
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]

# Packs the bot, so that it starts in a third of the time. Nothing but dist leaves this stage.
FROM ${NODE_IMAGE} AS build
WORKDIR /bellhop
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
COPY rolldown.config.ts ./
COPY src src
RUN ["npm", "run", "build"]

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# Nothing but data is written: what was compiled is not kept.
ENV NODE_DISABLE_COMPILE_CACHE=1
WORKDIR /bellhop
RUN ["install", "--directory", "--mode=0700", "--owner=node", "--group=node", "/bellhop/data"]
COPY --from=packages /bellhop/node_modules node_modules
COPY package.json manifest.yml LICENSE ./
# The commands beside the bot run from the sources.
COPY src src
COPY --from=build /bellhop/dist dist
USER node
VOLUME /bellhop/data
EXPOSE 3000
HEALTHCHECK --interval=60s --timeout=5s --start-period=60s --retries=3 CMD ["node", "src/terminal/health.js"]
# As npm run start:built. The young generation stays small, and the old one grows by half before it is collected: packed,
# the bot begins with so little that V8 would let it grow fourfold at first, and keep that.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "dist/start.js"]
