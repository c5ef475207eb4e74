# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
COPY . .
# What builds the bot is prebuilt: no package needs a script of its own for it.
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN node tools/build.ts
RUN ln -s appliance-bot.js bin/appliance-bot

FROM node:24-slim
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/bin bin
COPY --from=build /app/dist dist
RUN mkdir -m 700 /data && chown node:node /data
ENV PATH=/app/bin:$PATH NODE_ENV=production APPLIANCE_BOT_DATA=/data HEALTH_PORT=9464
USER node
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["appliance-bot", "health"]
ENTRYPOINT ["appliance-bot"]
CMD ["start"]
