import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: verifyWebhook()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.verifyWebhook.md","filePath":"reference/api/functions/svc-runtime.verifyWebhook.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.verifyWebhook.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-verifywebhook" tabindex="-1">Function: verifyWebhook() <a class="header-anchor" href="#function-verifywebhook" aria-label="Permalink to &quot;Function: verifyWebhook()&quot;">​</a></h1><blockquote><p><strong>verifyWebhook</strong>(<code>__namedParameters</code>): (<code>request</code>, <code>reply</code>) =&gt; <code>Promise</code>&lt;<code>FastifyReply</code>&lt;<code>RouteGenericInterface</code>, <code>RawServerDefault</code>, <code>IncomingMessage</code>, <code>ServerResponse</code>&lt;<code>IncomingMessage</code>&gt;, <code>unknown</code>, <code>FastifySchema</code>, <code>FastifyTypeProviderDefault</code>, <code>unknown</code>&gt;&gt;</p></blockquote><p>The handler of an own route that takes signed deliveries (standardwebhooks.com). Each becomes one command, however often it is delivered; the service itself sends it, so that no permission is needed.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>__namedParameters</code></td><td><code>WebhookOptions</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p>(<code>request</code>, <code>reply</code>) =&gt; <code>Promise</code>&lt;<code>FastifyReply</code>&lt;<code>RouteGenericInterface</code>, <code>RawServerDefault</code>, <code>IncomingMessage</code>, <code>ServerResponse</code>&lt;<code>IncomingMessage</code>&gt;, <code>unknown</code>, <code>FastifySchema</code>, <code>FastifyTypeProviderDefault</code>, <code>unknown</code>&gt;&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.verifyWebhook.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_verifyWebhook = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_verifyWebhook as default
};
