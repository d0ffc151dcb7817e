import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: SmokeTest","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_endpoints.SmokeTest.md","filePath":"reference/api/interfaces/svc-runtime_endpoints.SmokeTest.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_endpoints.SmokeTest.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-smoketest" tabindex="-1">Interface: SmokeTest <a class="header-anchor" href="#interface-smoketest" aria-label="Permalink to &quot;Interface: SmokeTest&quot;">​</a></h1><p>One create and one read that show, after a deployment, that the service works.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="create" tabindex="-1">create <a class="header-anchor" href="#create" aria-label="Permalink to &quot;create&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>create</strong>: <code>object</code></p></blockquote><p>In the texts of the body, <code>{smokeTestId}</code> stands for an id that no earlier smoke test had.</p><h4 id="body" tabindex="-1">body <a class="header-anchor" href="#body" aria-label="Permalink to &quot;body&quot;">​</a></h4><blockquote><p><code>readonly</code> <strong>body</strong>: <code>object</code></p></blockquote><h4 id="command" tabindex="-1">command <a class="header-anchor" href="#command" aria-label="Permalink to &quot;command&quot;">​</a></h4><blockquote><p><code>readonly</code> <strong>command</strong>: <code>MessageClass</code>&lt;<a href="./../classes/svc-runtime.Command"><code>Command</code></a>&gt;</p></blockquote><hr><h3 id="read" tabindex="-1">read <a class="header-anchor" href="#read" aria-label="Permalink to &quot;read&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>read</strong>: <code>string</code></p></blockquote><p>A path to read; <code>{name}</code> stands for a field of the answer to the create.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_endpoints.SmokeTest.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_endpoints_SmokeTest = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_endpoints_SmokeTest as default
};
