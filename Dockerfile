# Bellhop in a container. A test copies exactly these files into an empty directory and starts Bellhop there.
# Data is in /bellhop/data, the default of DATABASE_URL. The rest of the file system can be read-only.

# To pin the image by its digest, use --build-arg: see docs/running.md.
ARG NODE_IMAGE=node:24.21-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /bellhop
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]

# Packs the bot: as the image keeps no compiled code, it starts in a third of the time. Only dist leaves this stage.
FROM ${NODE_IMAGE} AS build
WORKDIR /bellhop
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
COPY rolldown.config.ts ./
COPY src src
RUN ["npm", "run", "build"]

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# Bellhop writes nothing but its data, so Node must not cache compiled code.
ENV NODE_DISABLE_COMPILE_CACHE=1
# What a container publishes comes from outside of it.
ENV HOST=0.0.0.0
WORKDIR /bellhop
RUN ["install", "--directory", "--mode=0700", "--owner=node", "--group=node", "/bellhop/data"]
COPY --from=packages /bellhop/node_modules node_modules
COPY package.json manifest.yml LICENSE ./
# The operator's commands run from the sources.
COPY src src
COPY --from=build /bellhop/dist dist
USER node
VOLUME /bellhop/data
EXPOSE 3000
HEALTHCHECK --interval=60s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The same as `npm run start:built`. These options keep the heap small: a packed bot starts with so little memory that V8
# would otherwise let it grow fourfold before the first collection, and keep it.
CMD ["node", "--max-semi-space-size=4", "--initial-old-space-size=40", "--heap-growing-percent=50", "dist/start.js"]
