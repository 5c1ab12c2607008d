# The reference service, alone: it needs Node and nothing else, so there is no npm ci. Built by `npm run image`, which makes
# a base out of this machine's Node where no image registry answers. No instruction needs a shell.
ARG BASE=node:24-slim
FROM ${BASE}

WORKDIR /app
COPY package.json ./
COPY contract ./contract
COPY reference ./reference
COPY harness/help-page.ts ./harness/
COPY scripts/serve.ts scripts/serve-options.ts scripts/end-soon.ts ./scripts/
COPY scripts/container ./scripts/container

# What `npm run gate -- --image` reads: the target file, with the ports inside of the container. The control side, which
# makes keys, stays closed until REFERENCE_CONTROL_PORT=8081 and REFERENCE_CONTROL_HOST=0.0.0.0 ask for it, with REFERENCE_CONTROL_TOKEN.
RUN ["node", "scripts/container/write-target.ts", "target.json", "8080", "8081"]
LABEL org.ordering-harness.target-file=/app/target.json

ENV NODE_ENV=production REFERENCE_HOST=0.0.0.0 REFERENCE_PORT=8080
EXPOSE 8080
# A number, since a base need not have an /etc/passwd.
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "scripts/container/health.ts"]
ENTRYPOINT ["node", "scripts/serve.ts"]
