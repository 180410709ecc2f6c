# syntax=docker/dockerfile:1

FROM swift:6.3-bookworm AS builder
RUN apt-get update \
    && apt-get install -y --no-install-recommends librabbitmq-dev libpq-dev libmicrohttpd-dev libssl-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
# The manifest names the test targets, so their folders must be there even though nothing of them is built.
COPY Tests Tests
RUN --mount=type=cache,target=/source/.build,sharing=locked \
    swift build --configuration release --static-swift-stdlib --product dispatcher \
    && install -D .build/release/dispatcher /staging/dispatcher

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates librabbitmq4 libpq5 libmicrohttpd12 libssl3 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin dispatcher
WORKDIR /srv/dispatcher
COPY --from=builder /staging/dispatcher /usr/local/bin/dispatcher
COPY migrations migrations
COPY schemas schemas
COPY LICENSE ./
USER 10001
ENTRYPOINT ["dispatcher"]
CMD ["worker"]
