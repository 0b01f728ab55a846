var si=Object.defineProperty;var ai=(e,t)=>{for(var n in t)si(e,n,{get:t[n],enumerable:!0})};var k,Sr,go,Je,ho,In,Or,Mn,kr,bo,yo,Cr,rn=Symbol.for("pv"),An={},Rn=[],ii=/^m(i|n|o|s|text|space)$/,_o=Array.isArray,wo=Rn.slice,lt=Object.assign;function it(e){e&&e.parentNode&&e.remove()}function Ln(e,t,n){var o,r,s,a={},i=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?wo.call(arguments,2):n),on(e,a,o,r,null)}function on(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:rn,__v:r||++Sr,__i:-1,__u:0};return!r&&k.vnode&&k.vnode(s),s}function dt(e){return e.children}function kt(e,t){this.props=e,this.context=t,this.__g=0}function Qe(e,t){if(t==null)return e.__&&Qe(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Qe(e)}function li(e){var t,n=e.__v,o=n.__e,r=[],s=[],a=e.__P;a&&((t=lt({constructor:rn},n)).__v=n.__v+1,k.vnode&&k.vnode(t),$o(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,r,o||Qe(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Ar(r,t,s),n.__=n.__e=null,t.__e!=o&&Tr(t))}function Tr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Tr(e)}function vo(e){(8&e.__g||(e.__g|=8,Je.push(e),In++))&&ho==k.debounceRendering||((ho=k.debounceRendering)||queueMicrotask)(Er)}function Er(){try{for(var e,t=1;Je.length;)Je.length>t&&Je.sort(Or),e=Je.shift(),t=Je.length,8&e.__g&&li(e)}finally{(In=Je.length)&&(ho||queueMicrotask)(Er)}}function Mr(e,t,n,o,r,s,a,i,d,f,c){var p,m,u,y,$,w,O=o.__k||Rn,b=t.length;for(d=di(n,t,O,d,b),p=0;p<b;p++)(u=n.__k[p])!=null&&(m=~u.__i&&O[u.__i]||An,u.__i=p,w=$o(e,u,m,r,s,a,i,d,f,c),y=u.__e,(m.ref!=u.ref||8&m.__u)&&(m.ref&&xo(m.ref,null,u,m),u.ref&&c.push(u.ref,u.__c||y,u)),$=$||y,4&u.__u?(d=Nr(u,d,e,!m.__v),m.__e&&(m.__e=null)):typeof u.type=="function"&&w!==void 0?d=w:y&&(d=y.nextSibling),u.__u&=-21);return n.__e=$,d}function di(e,t,n,o,r){var s,a,i,d,f,c,p,m,u,y=n.length,$=y,w=0,O=0,b=e.__k=Array(r);for(s=0;s<r;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=b[s]=on(null,a):_o(a)?a=b[s]=on(dt,{children:a}):a.constructor===rn&&a.__b?a=b[s]=on(a.type,a.props,a.key,a.ref,a.__v):b[s]=a,d=s+w,a.__=e,a.__b=e.__b+1,i=null,~(f=a.__i=ci(a,n,d,$))&&($--,(i=n[f])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,f==d-1?w--:f==d+1?w++:f!=d&&(f>d?w--:w++,O=1)):(~f||(r>y?w--:r<y&&w++),typeof a.type!="function"&&(a.__u|=4))):b[s]=null;if(O){for(c=[],p=[],s=0;s<r;s++)if((a=b[s])&&16&a.__u){for(w=0,m=c.length;w<m;)c[u=w+m>>1]<a.__i?w=u+1:m=u;c[w]=a.__i,p[s]=w+1}for(w=c.length;s--;)p[s]&&(p[s]==w?w--:b[s].__u|=4)}if($)for(s=0;s<y;s++)!(i=n[s])||2&i.__u||(i.__e==o&&(o=Qe(i)),Po(i,i));return o}function Nr(e,t,n,o){var r,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Nr(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=Qe(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ci(e,t,n,o){var r,s=e.key,a=e.type,i=t[n],d=i&&!(2&i.__u);if(i===null&&s==null||d&&s==i.key&&a==i.type)return n;if(o>(d?1:0)){for(r=n-1;r>=0;r--)if((i=t[r])&&!(2&i.__u)&&s==i.key&&a==i.type)return r;for(r=n+1;r<t.length;r++)if((i=t[r])&&!(2&i.__u)&&s==i.key&&a==i.type)return r}return-1}function Pr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function En(e,t,n,o,r){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Pr(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Pr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=yo[t]||(yo[t]=ui(t)),(e.__a||(e.__a={}))[t]=bo,s=t!=(t=t.replace(kr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ui(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Mn]==null)t[Mn]=bo++;else if(t[Mn]<this.__a[e])return;return n(k.event?k.event(t):t)}}}function $o(e,t,n,o,r,s,a,i,d,f){var c,p,m,u,y,$,w,O,b,T,D,st,K,Ee,Me,Ot,Ne,at,He=t.type;if(t.constructor!==rn)return null;128&n.__u&&(d=32&n.__u,c=n.__c.__z)&&(t.__u|=d,p=s=[],c.nodeType==8?i=Nn(c,s):s.push(c),i=s[0]||i),(c=k.__b)&&c(t);e:if(typeof He=="function"){m=a.length;try{if(O=t.props,b=(c=He.prototype)&&c.render,T=(c=He.contextType)&&o[c.__c],D=c?T?T.props.value:c.__:o,(u=n.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(b?t.__c=u=new He(O,D):(t.__c=u=new kt(O,D),u.constructor=He,u.render=pi),T&&T.sub(u),u.state||(u.state={}),u.__n=o,u.__g|=8,u.__h=[],u.__k=[]),b&&(u.__s||(u.__s=u.state),He.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=lt({},u.__s)),lt(u.__s,He.getDerivedStateFromProps(O,u.__s)))),y=u.props,$=u.state,u.__v=t,n.__c){if(O!==y&&b&&!He.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps(O,D),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate(O,u.__s,D)===!1){t.__v!=n.__v&&(u.props=O,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(ye){ye&&(ye.__=t)}),Rn.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&a.push(u),i=Qe(n);break e}u.componentWillUpdate&&u.componentWillUpdate(O,u.__s,D),b&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(y,$,w)})}else b&&!He.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),b&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=D,u.props=O,u.__P=e,u.__g&=-5,st=k.__r,K=b?25:0;do u.__g&=-9,st&&st(t),c=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++K<25);b&&(Rn.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(o=lt({},o,u.getChildContext())),b&&n.__c&&u.getSnapshotBeforeUpdate&&(w=u.getSnapshotBeforeUpdate(y,$)),Ee=c&&c.type===dt&&c.key==null?c.props.children:c,O.__P&&(c=i,r=(e=O.__P).namespaceURI,d=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(ye){ye&&Po(ye,ye)}),n.__k=null),i=n.__k?Qe(n,0):null),i=Mr(e,_o(Ee)?Ee:[Ee],t,n,o,r,s,a,i,d,f),O.__P&&(t.__e=null,i=c),t.__u&=-161,p&&p.some(it),u.__h.length&&a.push(u),1&u.__g&&(u.__g&=-4)}catch(ye){if(a.length=m,t.__v=null,d||s)if(ye&&ye.then){if(t.__u|=128|d,s){for(~(Ne=s.indexOf(i||void 0))||(Ne=s.length);(at=s[Ne-1])&&at.nodeType==8;)Ne--;for(;Ne<s.length;Ne++)if(at=s[Ne])if(s[Ne]=null,Me){if(at==Ot)break}else{if(at.nodeType!=8)break;at.data.startsWith("$s")&&(Ot=Nn(Me=at))}}if(!Me){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;Me=i}(c=Nn(Me=t.__c.__z||(t.__c.__z=Me)))?(t.__e=Me,i=c):t.__e=i,i=i&&i.nextSibling}else s&&s.some(it);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),ye&&ye.then||Ir(t),k.__e(ye,t,n)}}else i=t.__e=fi(n.__e,t,n,o,r,s,a,d,f,e);return(c=k.diffed)&&c(t),i}function Nn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ir(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ir))}function Ar(e,t,n){for(var o=0;o<n.length;)xo(n[o++],n[o++],n[o++]);k.__c&&k.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){k.__e(s,r.__v)}})}function fi(e,t,n,o,r,s,a,i,d,f){var c,p,m,u,y,$,w,O,b=n.props||An,T=t.props,D=t.type;if(D=="svg"?r="http://www.w3.org/2000/svg":D=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(c=0;c<s.length;c++)if((y=s[c])&&(D?y.localName==D:y.nodeType==3)){e=y,s[c]=null;break}}if(!e){if(O=f.ownerDocument||document,!D)return O.createTextNode(T);e=O.createElementNS(r,D,T.is?T:f),i&&(k.__m&&k.__m(t,s),i=!1),s=null}if(D){if(f=D=="template"&&e.content||e,s=D=="textarea"&&T.defaultValue!=null?null:s&&wo.call(f.childNodes),!i&&s)for(b={},c=0;c<e.attributes.length;c++)b[(y=e.attributes[c]).name]=y.value;for(c in b)y=b[c],c=="dangerouslySetInnerHTML"?m=y:c=="children"||c in T||c=="value"&&"defaultValue"in T||c=="checked"&&"defaultChecked"in T||En(e,c,null,y,r);for(c in T)y=T[c],c=="children"?u=y:c=="dangerouslySetInnerHTML"?p=y:c=="value"?$=y:c=="checked"?w=y:i&&typeof y!="function"||b[c]===y||En(e,c,y,b[c],r);p?(i||m&&(p.__html==m.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(m&&(e.textContent=""),(D=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&ii.test(D))&&(r="http://www.w3.org/1999/xhtml"),Mr(f,_o(u)?u:[u],t,n,o,r,s,a,s?s[0]:n.__k&&Qe(n,0),i,d),s&&s.some(it)),i&&D!="textarea"||(c="value",D=="progress"&&$==null?e.removeAttribute(c):$==null||$===e[c]&&(D!="progress"||$)||En(e,c,$,b[c],r),c="checked",w!=null&&w!=e[c]&&En(e,c,w,b[c],r))}else b===T||i&&e.data==T||(e.data=T);return e}function xo(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){k.__e(r,n)}}function Po(e,t,n){var o,r,s,a;if(k.unmount&&k.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||xo(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){k.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&Po(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Nn(o,s=[]))&&(o==e.__e&&s.some(it),it(r),it(o)),n||it(e.__e),e.__e=e.__c=e.__=null}function pi(e,t,n){return this.constructor(e,n)}function Rr(e,t){var n,o,r,s;k.__&&k.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=on(dt,{children:[e]}),r=[],s=[],$o(t,t.__k,o||An,An,t.namespaceURI,o?null:t.firstChild?wo.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Ar(r,t.__k,s),t.__k.props.children=null}function Lr(e){function t(n){var o,r;return this.getChildContext||(o=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&o.forEach(function(a){a.__g|=4,vo(a)})},this.sub=function(s){o.add(s);var a=s.componentWillUnmount;s.componentWillUnmount=function(){o.delete(s),a&&a.call(s)}}),n.children}return t.__c="__cC"+Cr++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}k={__e:function(e,t,n,o){for(var r,s,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(i){e=i}}throw In=0,e}},Sr=0,go=function(e){return e!=null&&e.constructor===rn},kt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=lt({},this.state)),typeof e=="function"&&(e=e(lt({},n),this.props)),e&&(lt(n,e),this.__v&&(t&&this.__k.push(t),vo(this)))},kt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),vo(this))},kt.prototype.render=dt,Je=[],In=0,Or=function(e,t){return e.__v.__b-t.__v.__b},Mn=Symbol(),kr=/(PointerCapture)$|Capture$/i,bo=0,yo={},Cr=0;var Ye,q,So,Dr,Oo=Object.is,Dn=0,Kr=[],ko=[],j=k,Fr=j.__b,Vr=j.__r,Hr=j.diffed,qr=j.__c,Ur=j.unmount,jr=j.__;function Ct(e,t){j.__h&&j.__h(q,e,Dn||t),Dn=0;var n=q.__H||(q.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function Y(e){return Dn=1,mi(Qr,e)}function mi(e,t,n){var o=Ct(Ye++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Qr(void 0,t),function(s){var a=(o.__N||o.__)[0],i=o.t(a,s);Oo(a,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=q,!q.__f)){q.__f=!0;var r=q.shouldComponentUpdate;q.shouldComponentUpdate=function(s,a,i){var d=this.__H;if(!d)return!0;var f=!1,c=this.props!=s;if(d.__.some(function(m){m.__N&&(f=!0,Oo(m.__[0],m.__N[0])||(c=!0))}),r){var p=r.call(this,s,a,i);return f?p||c:p}return!f||c}}return o.__}function Z(e,t){var n=Ct(Ye++,3);!j.__s&&To(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,q.__H.__h.push(n))}function zr(e,t){var n=Ct(Ye++,4);!j.__s&&To(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,q.__h.push(n))}function B(e){return Dn=5,an(function(){return{current:e}},[])}function an(e,t){var n=Ct(Ye++,7);return To(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Gr(e){var t=q.context[e.__c],n=Ct(Ye++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(q)),t.props.value):e.__}function Jr(){var e=Ct(Ye++,11);if(!e.__){for(var t=q.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function hi(){var e;do{for(;e=ko.shift();)try{sn(e)}catch(n){j.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Kr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(sn),t.__h.some(Co),t.__h=[]}catch(n){t.__h=[],j.__e(n,e.__v)}}}while(ko.length)}j.__b=function(e){q=null,Fr&&Fr(e)},j.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),jr&&jr(e,t)},j.__r=function(e){Vr&&Vr(e),Ye=0;var t=(q=e.__c).__H;t&&(So==q?q.__h=[]:(t.__h.some(sn),t.__h.some(Co),Ye=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),So=q},j.diffed=function(e){Hr&&Hr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Wr(Kr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),So=q=null},j.__c=function(e,t){t.some(function(n){try{n.__h.some(sn),n.__h=n.__h.filter(function(o){return!o.__||Co(o)})}catch(o){n.__h=[function(){throw o}]}}),qr&&qr(e,t)},j.unmount=function(e){Ur&&Ur(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Wr(ko.push(r))}else sn(r)}catch(s){t=s}}),o.__H=void 0,t&&j.__e(t,o.__v))};var Br=typeof requestAnimationFrame=="function";function yi(e){var t,n=function(){clearTimeout(o),Br&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Br&&(t=requestAnimationFrame(n))}function Wr(e){e!=1&&Dr==j.requestAnimationFrame||((Dr=j.requestAnimationFrame)||yi)(hi)}function sn(e){var t=q,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),q=t}function Co(e){var t=q;e.__c=e.__(),q=t}function To(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Oo(n,e[o])})}function Qr(e,t){return typeof t=="function"?t(e):t}var vi=Symbol.for("preact-signals");function qn(){if(qe>1)qe--;else{var e,t=!1;for((function(){var r=Vn;for(Vn=void 0;r!==void 0;){var s=r.S;if(s.v===r.v)for(var a=s.t;a!==void 0;a=a.x)a.i===r.i&&(a.i=s.i);r=r.o}})();dn!==void 0;){var n=dn;for(dn=void 0,Fn++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Zr(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(Fn=0,qe--,t)throw e}}function X(e){if(qe>0)return e();Eo=++gi,qe++;try{return e()}finally{qn()}}var ln,F=void 0;function ne(e){var t=F,n=ln;F=void 0,ln=void 0;try{return e()}finally{F=t,ln=n}}var dn=void 0,qe=0,Fn=0,gi=0,Eo=0,Vn=void 0,Hn=0;function Yr(e){if(F!==void 0){var t=e.n;if(t===void 0||t.t!==F)return t={i:0,S:e,p:F.s,n:void 0,t:F,e:void 0,x:void 0,r:t},F.s!==void 0&&(F.s.n=t),F.s=t,e.n=t,32&F.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=F.s,t.n=void 0,F.s.n=t,F.s=t),t}}function z(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}z.prototype.brand=vi;z.prototype.h=function(){return!0};z.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:ne(function(){var o;(o=t.W)==null||o.call(t)}))};z.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&ne(function(){var r;(r=t.Z)==null||r.call(t)}))}};z.prototype.subscribe=function(e){var t=this;return E(function(){var n=t.value;ne(function(){return e(n)})},{name:"sub"})};z.prototype.valueOf=function(){return this.value};z.prototype.toString=function(){return this.value+""};z.prototype.toJSON=function(){return this.value};z.prototype.peek=function(){var e=this;return ne(function(){return e.value})};Object.defineProperty(z.prototype,"value",{get:function(){var e=Yr(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Fn>100)throw new Error("Cycle detected");(function(n){qe!==0&&Fn===0&&n.l!==Eo&&(n.l=Eo,Vn={S:n,v:n.v,i:n.i,o:Vn})})(this),this.v=e,this.i++,Hn++,qe++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{qn()}}}});function _(e,t){return new z(e,t)}function Zr(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Xr(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function es(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function ct(e,t){z.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Hn-1,this.f=4}ct.prototype=new z;ct.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Hn))return!0;if(this.g=Hn,this.f|=1,this.i>0&&!Zr(this))return this.f&=-2,!0;var e=F;try{Xr(this),F=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return F=e,es(this),this.f&=-2,!0};ct.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}z.prototype.S.call(this,e)};ct.prototype.U=function(e){if(this.t!==void 0&&(z.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};ct.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(ct.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Yr(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function x(e,t){return new ct(e,t)}function ts(e){var t=e.j;if(e.j=void 0,typeof t=="function"){qe++;var n=F;F=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,Mo(e),o}finally{F=n,qn()}}}function Mo(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,ts(e)}function bi(e){if(F!==this)throw new Error("Out-of-order effect");es(this),F=e,this.f&=-2;try{8&this.f&&Mo(this)}finally{qn()}}function Tt(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,ln&&ln.push(this)}Tt.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Tt.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,ts(this),Xr(this),qe++;var e=F;return F=this,bi.bind(this,e)};Tt.prototype.N=function(){2&this.f||(this.f|=2,this.u=dn,dn=this)};Tt.prototype.d=function(){this.f|=8,1&this.f||Mo(this)};Tt.prototype.dispose=function(){this.d()};function E(e,t){var n=new Tt(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var ns,un,Un,_i=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var os=[];E(function(){ns=this.N})();function Et(e,t){k[e]=t.bind(null,k[e]||function(){})}function cn(e){if(Un){var t=Un;Un=void 0,t()}Un=e&&e.S()}function rs(e){var t=this,n=e.data,o=$i(n);o.name="ReactiveDom",o.value=n;var r=an(function(){for(var i=t,d=t.__v;d=d.__;)if(d.__c){d.__c.__$f|=4;break}var f=x(function(){var u=o.value.value;return u===0?0:u===!0?"":u||""}),c=x(function(){return!Array.isArray(f.value)&&!go(f.value)}),p=E(function(){if(this.N=as,c.value){var u=f.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=u)}}),m=t.__$u.d;return t.__$u.d=function(){p(),m.call(this)},[c,f]},[]),s=r[0],a=r[1];return s.value?a.peek():a.value}rs.displayName="ReactiveTextNode";Object.defineProperties(z.prototype,{constructor:{configurable:!0,value:Ln(dt,null).constructor},type:{configurable:!0,value:rs},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Et("__b",function(e,t){if(cn(),un=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var s=o[r];s instanceof z&&(n||(t.__np=n={}),n[r]=s,o[r]=s.peek())}}e(t)});Et("__r",function(e,t){if(e(t),t.type!==dt){cn();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,s){var a;return E(function(){a=this},{name:s}),a.c=r,a})((function(r){return function(){var s;_i&&((s=this.y)==null||s.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),un=o,cn(n)}});Et("__e",function(e,t,n,o){cn(),un=void 0,e(t,n,o)});Et("diffed",function(e,t){cn(),un=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||o&&a in o||(i.d(),s[a]=void 0)}if(o){s||(s={},n.U=s);for(var d in o){var f=s[d],c=o[d];f===void 0?(f=wi(n,d,c,r),s[d]=f):f.o(c,r)}}}e(t)});function wi(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,s=_(n);return{o:function(a,i){s.value=a,o=i},d:E(function(){this.N=as;var a=s.value.value;o[t]!==a&&(o[t]=a,r?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}Et("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var s=o[r];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var d in a)i[d]=a[d]}t.__np=void 0}else{var f=t.__c;if(f){f.__$f|=8;var c=f.__$u;c&&(f.__$u=void 0,c.d())}}e(t)});Et("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});kt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(o||s||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function $i(e,t){return an(function(){return _(e,t)},[])}function ss(e,t){var n=B(e);return n.current=e,un.__$f|=4,an(function(){return x(function(){return n.current()},t)},[])}var xi=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Pi(){X(function(){for(var e;e=os.shift();)ns.call(e)})}function as(){os.push(this)===1&&(k.requestAnimationFrame||xi)(Pi)}var is=new Set(["id","petId","categoryId"]),{rawJSON:ls}=JSON;function Si(e,t){let n=typeof e=="number"?t.source:e;return typeof n=="string"&&/^-?(?:0|[1-9][0-9]*)$/.test(n)?BigInt(n):void 0}function ve(e){return JSON.parse(e,function(t,n,o){let r=is.has(t)?Si(n,o):void 0;return r===void 0?n:(Object.defineProperty(this,"toJSON",{value:Oi,configurable:!0,writable:!0}),r)})}function Oi(){let e=t=>typeof t=="bigint"?ls(String(t)):t;return Object.fromEntries(Object.entries(this).map(([t,n])=>[t,e(n)]))}var ce=e=>JSON.stringify(e,(t,n)=>typeof n=="bigint"||typeof n=="number"&&is.has(t)?ls(Ie(n)):n);function Ie(e){if(typeof e=="bigint"||Number.isSafeInteger(e))return String(e);throw new TypeError(`${e} is not an exact integer; write it as a bigint, such as 1n`)}var fn=["available","pending","sold"],ki=["oldest","name"],Ci=["orders","report"],It=["placed","completed","returned","cancelled","expired"],Mt=e=>{if(e===null||!/^-?\d{1,19}$/.test(e))return;let t=BigInt.asIntN(64,BigInt(e));return String(t)===e?t:void 0},Nt=128,jn=_(location.search),No=!1;addEventListener("popstate",()=>{No=!1,jn.value=location.search});var h=x(()=>{let e=new URLSearchParams(jn.value);return{category:Mt(e.get("category")),status:fn.find(t=>t===e.get("status")),search:e.get("search")?.trim().slice(0,Nt)||void 0,sort:ki.find(t=>t===e.get("sort")),show:Ci.find(t=>t===e.get("show")),tab:It.find(t=>t===e.get("tab")&&t!=="placed"),find:e.get("find")?.trim().slice(0,Nt)||void 0,day:/^\d{4}-\d\d-\d\d$/.exec(e.get("day")??"")?.[0],pet:Mt(e.get("pet"))}}),Io=48,M=100,Ti=x(()=>{let{status:e,category:t,search:n,sort:o}=h.value;return ce({limit:n||o==="name"?M:Io,status:e,categoryId:t,search:n,order:o==="oldest"?"asc":"desc"})}),je=x(()=>ve(Ti.value));function Ue(e){let t=new URLSearchParams;for(let[n,o]of Object.entries({...h.value,...e}))o!==void 0&&t.set(n,String(o));return`${location.pathname}${t.size>0?`?${t}`:""}`}function V(e,t=!1){let n=e.pet!==void 0;t||n&&h.value.pet!==void 0?history.replaceState(history.state,"",Ue(e)):history.pushState(n?{}:null,"",Ue(e)),jn.value=location.search}if(history.state===null&&h.value.pet!==void 0){let{href:e}=location;history.replaceState(null,"",Ue({pet:void 0})),history.pushState({},"",e)}function ut(){history.state===null?(history.replaceState(null,"",Ue({pet:void 0})),jn.value=location.search):No||(No=!0,history.back())}var zo={};ai(zo,{BadRequestError:()=>Ro,ConflictError:()=>Vo,ConnectionError:()=>We,ContentTooLargeError:()=>Uo,ForbiddenError:()=>Lo,GoneError:()=>Ho,HeadersTooLargeError:()=>Ko,InternalError:()=>pn,InvalidWebhookError:()=>Ao,MethodNotAllowedError:()=>Do,NotFoundError:()=>pt,PetStoreError:()=>xe,PreconditionFailedError:()=>qo,RefusedError:()=>Be,RequestTimeoutError:()=>Fo,TimeoutError:()=>Ke,TooManyRequestsError:()=>Rt,UnauthorizedError:()=>At,UnavailableError:()=>mn,UnexpectedAnswerError:()=>ft,UnprocessableError:()=>Wo,UnsupportedMediaTypeError:()=>Bo,UriTooLongError:()=>jo});var xe=class extends Error{constructor(t,n={}){super(t,n),Object.assign(this,n)}},Be=class extends xe{};Be.prototype.name="RefusedError";function W(e,t){let n=class extends(t===void 0?xe:Be){};return Object.assign(n.prototype,{name:e,status:t}),n}var We=class extends W("ConnectionError"){},Ke=class extends W("TimeoutError"){},ft=class extends W("UnexpectedAnswerError"){},Ao=class extends W("InvalidWebhookError"){},Ro=class extends W("BadRequestError",400){},At=class extends W("UnauthorizedError",401){},Lo=class extends W("ForbiddenError",403){},pt=class extends W("NotFoundError",404){},Do=class extends W("MethodNotAllowedError",405){},Fo=class extends W("RequestTimeoutError",408){},Vo=class extends W("ConflictError",409){},Ho=class extends W("GoneError",410){},qo=class extends W("PreconditionFailedError",412){},Uo=class extends W("ContentTooLargeError",413){},jo=class extends W("UriTooLongError",414){},Bo=class extends W("UnsupportedMediaTypeError",415){},Wo=class extends W("UnprocessableError",422){},Rt=class extends W("TooManyRequestsError",429){},Ko=class extends W("HeadersTooLargeError",431){},pn=class extends W("InternalError",500){},mn=class extends W("UnavailableError",503){};function ds({status:e,headers:t},n){let[,o,r]=/r=(\d+);t=(\d+)/.exec(t.get("ratelimit")??"")??[],s=o?{remaining:Number(o),resetSeconds:Number(r)}:void 0;return{status:e,headers:t,requestId:t.get("x-request-id")??n,rateLimit:s}}function cs(e,t,n){let{status:o,headers:r,requestId:s}=e,a={status:o,requestId:s,retryAfterMs:Ii(r.get("retry-after"))},i=(c,p)=>new ft(`The response, with status ${o}, ${c}.`,{...a,cause:p}),d=o>=200&&o<300||o===304;try{let c=t===""?void 0:ve(t);if(d&&n(c))return{...e,body:c};let{code:p,message:m,...u}=Object(c);if(!d&&typeof p=="string"&&typeof m=="string"&&u.status===o)return new(Ei(o))(m,{...a,code:p})}catch(c){return i("is not JSON",c)}let f=r.get("location");return i(f===null?"did not come from the service":`redirects to ${f}`)}function Ei(e){return Object.values(zo).find(({prototype:n})=>n.status===e)??Be}var Mi=250,Ni=8e3,Bn=e=>e instanceof We||e instanceof Ke||e.status===503,Wn=e=>Bn(e)||e.status===429||e.status===408||e.code==="idempotency_in_progress",Go=(e,t)=>t()*Math.min(Ni,Mi*2**e);function Ii(e){if(e===null)return;let t=/^[0-9]+$/.test(e)?Number(e)*1e3:Date.parse(e)-Date.now();return Number.isNaN(t)?void 0:Math.max(0,t)}var hn=async(e,t)=>{await new Promise(n=>{let o=()=>{clearTimeout(r),t?.removeEventListener("abort",o),n()},r=setTimeout(o,t?.aborted?0:e);t?.addEventListener("abort",o)}),t?.throwIfAborted()};var Jo=e=>/^[!-~]+$/.exec(String(e??"").trim())?.[0],Qo="must be a key of the service, as made by `petstore keys create`",Ai="Node 22, Chrome 114, Firefox 135 or Safari 18.4, or newer";function us({baseUrl:e,apiKey:t}={}){if(typeof JSON.rawJSON!="function")throw new TypeError(`petstore-client needs ${Ai}, to keep every digit of an id`);let n=/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/v[0-9]+(?=\/?$)/i.exec(e??"")?.[0],o=typeof t=="function"?t:Jo(t);if(n&&o)return{baseUrl:n,apiKey:o};let r=[n?[]:"baseUrl must begin with https:// or http:// and end in the version, as in https://shop.example/v1",o?[]:`apiKey ${Qo}`];throw new TypeError(`new PetStore({ baseUrl, apiKey }): ${r.flat().join("; ")}`)}var Ri="1.0.0",Kn=class{#e;#t=new WeakMap;constructor(t){let{fetch:n=(s,a)=>globalThis.fetch(s,a)}=t??{},{sleep:o=hn,random:r=Math.random}=t??{};this.#e={...t,...us(t),fetch:n,sleep:o,random:r}}async call(t,n,o={}){let r=s=>t==="DELETE"||Object(s)===s;return(await this.send(t,n,{...o,isExpected:r})).body}add(t,n,{idempotencyKey:o=Lt(),...r}={}){return this.call("POST",t,{...r,body:n,idempotencyKey:o})}act(t,n){return this.call("POST",t,{...n,isIdempotent:!0})}remember(t,n){let o=n.get("etag");return o&&Object(t)===t&&this.#t.set(t,o),t}etagOf(t){return this.#t.get(t)}async send(t,n,o={}){let{signal:r,maxRetries:s=this.#e.maxRetries??3}=o,{maxRetryAfterMs:a=this.#e.maxRetryAfterMs??6e4}=o,i=this.#e.baseUrl+fs(n,o.query),d=this.#n(t,o),f=!1;for(let c=0;;c++){r?.throwIfAborted();let p=await this.#s(i,d,o);if(!(p instanceof xe))return this.remember(p.body,p.headers),p;if(f&&t==="DELETE"&&p instanceof pt)return{status:204,headers:new Headers,body:void 0,rateLimit:void 0,requestId:Yo(d)};f||=Bn(p);let{retryAfterMs:m=0}=p;if(c>=s||m>a||!Fi(d,o,p))throw p;await this.#e.sleep(m+Go(c,this.#e.random),r)}}pause(t,n){return this.#e.sleep(Go(t,this.#e.random),n)}async*pieces(t,n){let{baseUrl:o,fetch:r,sleep:s}=this.#e,{signal:a}=n,i=new AbortController,d=a?AbortSignal.any([a,i.signal]):i.signal,f=async p=>{let m=new AbortController;s(Li,m.signal).then(()=>i.abort()).catch(()=>{});let u=await p.catch(()=>{}).finally(()=>m.abort());return a?.throwIfAborted(),u};a?.throwIfAborted();let c=this.#n("GET",n);try{let p=o+fs(t,n.query),m=await this.#o(p,c,n),u=await f(r(p,{...m,signal:d}));if(u&&this.#r(u,c,n),!u?.ok||!u.body)return;let y=u.body.pipeThrough(new TextDecoderStream).getReader();for(;;){let $=await f(y.read());if(!$||$.done)return;yield $.value}}finally{i.abort()}}#n(t,{body:n,idempotencyKey:o,ifMatch:r,headers:s}){let{headers:a}=this.#e,i=new Headers({"X-Request-Id":Lt()});"location"in globalThis||i.set("User-Agent",`petstore-client/${Ri}`),n&&i.set("Content-Type","application/json"),o!==void 0&&i.set("Idempotency-Key",o);let d=typeof r=="object"?this.etagOf(r):r;if(d)i.set("If-Match",d.replace(/^W\//,""));else if(r!==void 0)throw new TypeError("ifMatch: not what create, get, update or put of this client returned");for(let[c,p]of Object.entries({...a,...s}))i.set(c,p);return{method:t,headers:i,redirect:"manual",...(t==="DELETE"||t==="PUT")&&{keepalive:!1},...n&&{body:ce(n)}}}async#o(t,n,{onRequest:o}){let{apiKey:r}=this.#e,s=typeof r=="function"?Jo(await r()):r;if(!s)throw new TypeError(`apiKey returned something else; it ${Qo}`);let a=new Headers(n.headers);a.has("Authorization")||a.set("Authorization",`Bearer ${s}`);let i={method:n.method,url:t,headers:a};return await this.#e.onRequest?.(i),await o?.(i),{...n,headers:a}}async#s(t,n,o){let{signal:r,timeoutMs:s=this.#e.timeoutMs??3e4,isExpected:a=()=>!0}=o,i=AbortSignal.timeout(s),d=r?AbortSignal.any([r,i]):i,f=await this.#o(t,n,o),c,p;try{c=await this.#e.fetch(t,{...f,signal:d}),p=await c.text()}catch(m){r?.throwIfAborted();let u={cause:m,requestId:Yo(n)};if(i.aborted)return new Ke(`No response within ${s} ms.`,u);let{host:y,origin:$}=new URL(t),w=`The connection to ${y} failed before the response was complete.`;return new We(w+Di($),u)}return cs(this.#r(c,n,o),p,a)}#r(t,n,{onResponse:o}){let r=ds(t,Yo(n));return this.#e.onResponse?.(r),o?.(r),r}},Li=3e4,Lt=()=>Array.from(crypto.getRandomValues(new Uint8Array(16)),e=>e.toString(16).padStart(2,"0")).join(""),Yo=({headers:e})=>e.get("x-request-id")??"";function fs(e,t={}){let n=new URLSearchParams,o=r=>typeof r=="string"?r:Ie(r);for(let[r,s]of Object.entries(t))s!==void 0&&n.set(r,[s].flat().map(o).join());return n.size===0?e:`${e}?${n}`}function Di(e){let{location:t}=globalThis;return!t||t.origin===e?"":` The cause may be CORS: the operator must list ${t.origin} in CORS_ORIGINS.`}function Fi({method:e,headers:t},n,o){let{idempotencyKey:r,isIdempotent:s=r!==void 0}=n;return Bn(o)?e==="POST"?s:e==="DELETE"||!t.has("if-match"):Wn(o)}var Vi=/(?<=^|[,;|\t\r\n])(?=[\s"]*[=+@＝＋－＠-])/g,ps=e=>/^-?[0-9]+$/.test(e)?e:e.replace(Vi,"'"),Dt=e=>e.normalize("NFKC").replace(/\s+/g," ").trim().toLowerCase();var Ft,Zo;function Xo(){clearInterval(Zo),Zo=setInterval(()=>{clearInterval(Zo),Ft=void 0},1e3)}function ms(){Ft=void 0}function Hi(e){let{target:t,detail:n,clientX:o,clientY:r}=e,s=t instanceof Element&&t.closest("a, button");if(!s||n===0)return;if(Ft&&Math.hypot(o-Ft.x,r-Ft.y)<24||n>1)e.preventDefault(),e.stopPropagation();else if(s.matches(".deed"))Ft={x:o,y:r};else return;Xo()}var hs=()=>addEventListener("click",Hi,!0);var ge="petstore.key";function vs(e){try{return window[e]}catch{return}}var mt=vs("sessionStorage"),be=vs("localStorage"),I=_(mt?.getItem(ge)??be?.getItem(ge)??null),zn=_(I.value!==null&&be?.getItem(ge)===I.value),yn=new BroadcastChannel(ge),ys="";function gs(e){mt?.setItem(ge,e),X(()=>{I.value=e,zn.value=be?.getItem(ge)===e})}function bs(e,t){t?be?.setItem(ge,e):be?.getItem(ge)===e&&be.removeItem(ge),gs(e),yn.postMessage(e)}function Vt(){for(let e of[mt,be])e?.getItem(ge)===I.value&&e.removeItem(ge);X(()=>{I.value=null,zn.value=!1})}function _s(){Vt(),be?.removeItem(ge),yn.postMessage(null)}function ws(e){yn.onmessage=({data:t})=>{t===null?(e(),Vt()):t!==ys?(I.value===null||I.value===t)&&gs(t):I.value!==null&&yn.postMessage(I.value)},I.value===null&&yn.postMessage(ys)}var _e=class{#e;#t;constructor(t,n,o={},r){this.#e=o,this.#t=async s=>{let{body:a,headers:i}=await t.send("GET",n,{...r,query:s,isExpected:Array.isArray}),d=a;return Array.isArray(s.id)&&s.id.length===1&&t.remember(d[0],i),{items:d,next:qi(i.get("link"))}}}async page(){return this.#t(this.#e)}async toArray({limit:t=1/0}={}){let n=[];if(t>0){for await(let o of this.#n(Math.min(t,100)))if(n.push(o)>=t)break}return n}[Symbol.asyncIterator](){return this.#n(100)}async*#n(t){let{cursor:n,after:o,from:r,since:s,limit:a=t,...i}=this.#e,d={cursor:n,after:o,from:r,since:s};for(;;){let{items:f,next:c}=await this.#t({...i,limit:a,...d});if(yield*f,c===void 0||c===d.cursor)return;d={cursor:c}}}};function qi(e){let[,t=""]=/<([^>]*)>[^<]*;\s*rel="?next"?/i.exec(e??"")??[];return new URLSearchParams(t.split("?")[1]).get("cursor")??void 0}var Ui=64,Gn=class{#e;constructor(t){this.#e=t}list(t,n){return new _e(this.#e,"/events",{...t},n)}async*follow({after:t,cursor:n,...o}={},r={}){let s={start:{after:t,cursor:n}};for(let a=0;;){let i=yield*this.#t(o,s,r);a=i?0:a+1;let d=i?0:Math.min(Ui,2**(a-1));do d>0&&!(yield*this.#n(o,s,r))&&(d=0),await this.#e.pause(a,r.signal);while(--d>0)}}async*#t(t,n,o){let{after:r,cursor:s}=n.start,a={...o.headers,...r!==void 0&&{"Last-Event-ID":String(r)}},i=!1,d="",f={...t,cursor:s};for await(let c of this.#e.pieces("/events/stream",{...o,headers:a,query:f})){let p=(d+c).split(`

`);d=p.pop()??"";for(let{id:m,data:u,"":y}of p.map(ji))i||=u!==void 0||y!==void 0,m!==void 0&&(n.start={after:m},u!==void 0&&(yield ve(u)))}return i}async*#n(t,n,o){try{for(;;){let{after:r,cursor:s}=n.start;r===void 0&&s===void 0&&(n.start={from:"now"});let{items:a,next:i}=await this.list({limit:100,...t,...n.start},o).page();if(yield*a,n.start={cursor:i},i===s)return!0}}catch(r){if(!(r instanceof xe&&(Wn(r)||(r.status??0)>=500)))throw r;return o.onError?.(r),!1}}},ji=e=>Object.fromEntries(e.split(`
`).map(t=>t.split(/: ?(.*)/s,2)));var Jn=class{#e;constructor(t){this.#e=t}list(t,n){return new _e(this.#e,"/webhooks",{...t},n)}async create(t,n){return this.#e.call("POST","/webhooks",{...n,body:t})}async get(t,n){return this.#e.call("GET",ht(t),n)}async update(t,n,o){return this.#e.call("PATCH",ht(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",ht(t),n)}async rotate(t,n){return this.#e.call("POST",`${ht(t)}/rotate`,n)}async test(t,n){return this.#e.act(`${ht(t)}/test`,n)}deliveries(t,n,o){return new _e(this.#e,`${ht(t)}/deliveries`,{...n},o)}async redeliver(t,n,o){let r=`${ht(t)}/deliveries/${Ie(n)}/redeliver`;return this.#e.act(r,o)}},ht=e=>`/webhooks/${Ie(e)}`;var Qn=class{pets;orders;categories;events;webhooks;#e;constructor(t){let n=new Kn(t);this.#e=n,this.pets=new er(n),this.orders=new tr(n),this.categories=new nr(n),this.events=new Gn(n),this.webhooks=new Jn(n)}async inventory(t){return this.#e.call("GET","/store/inventory",t)}inventoryByCategory(t,n){return new _e(this.#e,"/store/inventory",{by:"category",...t},n)}async sales(t,n){return this.#e.call("GET","/store/sales",{...n,query:{days:t}})}etag(t){return this.#e.etagOf(t)}async me(t){return this.#e.call("GET","/me",t)}async request(t,n,o){if(new URL(n,"http://_").pathname!==n)throw new TypeError("path: not encoded, or has a query");return this.#e.send(t,n,o)}};var er=class{#e;constructor(t){this.#e=t}list(t,n){return new _e(this.#e,"/pets",{...t},n)}async create(t,n){return this.#e.add("/pets",t,n)}async get(t,n){let o={...n,query:{id:[t]},isExpected:Array.isArray},{body:r,headers:s,requestId:a}=await this.#e.send("GET","/pets",o),[i]=r;if(i)return this.#e.remember(i,s);throw new pt("No animal has this identifier.",{status:404,code:"pet_not_found",requestId:a})}async update(t,n,o){return this.#e.call("PATCH",$s(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",$s(t),n)}},tr=class{#e;constructor(t){this.#e=t}list(t,n){return new _e(this.#e,"/store/orders",{...t},n)}async place(t,n){return this.#e.add("/store/orders",t,n)}async counts(t){return this.#e.call("GET","/store/order-counts",t)}async get(t,n){return this.#e.call("GET",vn(t),n)}async update(t,n,o){return this.#e.call("PATCH",vn(t),{...o,body:n})}async complete(t,n){return this.#e.act(`${vn(t)}/complete`,n)}async cancel(t,n){return this.#e.act(`${vn(t)}/cancel`,n)}async return(t,n){return this.#e.act(`${vn(t)}/return`,n)}},nr=class{#e;constructor(t){this.#e=t}list(t,n){return new _e(this.#e,"/categories",{...t},n)}async create(t,n){return this.#e.call("POST","/categories",{...n,body:t,isIdempotent:!0})}async put(t,n,o){return this.#e.call("PUT",xs(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",xs(t),n)}},$s=e=>`/pets/${Ie(e)}`,vn=e=>`/store/orders/${Ie(e)}`,xs=e=>`/categories/${Ie(e)}`;var Bi=new URL("v1",document.baseURI).href,Os=e=>mt?.getItem(e)??null;function ks(e,t){t===null?mt?.removeItem(e):mt?.setItem(e,t)}var G=_(!0),gn=_(0),se=_(null),Ae=_(""),g=e=>se.value?.scopes.includes(e)??!1,Wi=8,Cs={pause:0};function Ki(e){let[,t=1,n=1]=/;q=(\d+);w=(\d+)/.exec(e.get("ratelimit-policy")??"")??[],o=Number(n)/Number(t);return 1e3*(Number(e.get("retry-after"))+Math.min(Number(n),Wi*o))}var Ts=e=>new Qn({baseUrl:Bi,apiKey:e,timeoutMs:15e3,maxRetryAfterMs:2e3,fetch:async(t,n)=>{try{let o=await fetch(t,n);return G.value=!0,o.status===401&&e===I.value&&Vt(),o.status===429&&(Cs.pause=Ki(o.headers)),o}catch(o){throw o.name!=="AbortError"&&!t.includes("/events/stream")&&(G.value=!1),o}}}),Ps=x(()=>I.value===null?void 0:Ts(I.value));function v(){if(Ps.value)return Ps.value;throw new At("Nobody is signed in.",{status:401,code:"missing_api_key"})}async function yt(e,t=zn.value){let n=I.value;Ae.value="";try{let o=await Ts(e).me();if(I.value!==n)return;X(()=>{se.value=o,bs(e,t)})}catch(o){let r=o instanceof At||o instanceof TypeError;Ht(o),Ae.value=r?"This key is not valid: it may be mistyped, expired or revoked.":oe(o)}}var Ss="This animal is not in the store; somebody may have removed it. Look for it again.",Es="The service cannot do that just now. Try again in a moment.",zi=new Map([["precondition_failed","It changed meanwhile, and stays as it is now. Look at it before you change it again."],["pet_not_available","Somebody else was faster: this animal is not available now. Choose another one, or wait whether its order is cancelled."],["order_state_conflict","An order on this animal does not allow that. Open the animal: its orders show what can be done."],["pet_not_found",Ss],["unknown_pet",Ss],["insufficient_scope","This key does not allow that. Ask whoever runs this store for one that does."],["content_too_large","That is too long. Shorten it."],["idempotency_in_progress",Es]]),Gi=new Map([["name","Type a name: up to 1,024 characters, not only blanks, and none that cannot be seen."],["categoryId","There is no such category: its number is too large. Choose another one."],["status","Choose one of the three."],["reference","Type up to 128 characters, not only blanks, and none that cannot be seen."],["heldUntil","Choose a time from now on, within a year."]]);function Ms(e){let{code:t="",message:n}=e;if(!/_field$/.test(t))return;let o=[...Gi].filter(([r])=>n.includes(`${r}: `));return o.length>0?new Map(o):void 0}var bn=e=>e instanceof We||e instanceof Ke;function Ht(e){let t=e instanceof Rt;return t&&(gn.value=Cs.pause),t}var ae=e=>e instanceof xe?e.code:void 0;function oe(e){if(e instanceof Rt)return`This key has made too many requests. Try again in ${Math.ceil((e.retryAfterMs??0)/1e3)} s. What is missing on the page comes by itself.`;if(bn(e))return"The service cannot be reached. The page tries again by itself.";if([ft,mn,pn].some(n=>e instanceof n))return Es;let{message:t}=e;return zi.get(ae(e))??`The service did not take that. If it stays so, tell whoever runs this store: “${t}”`}var _n=e=>e instanceof Be&&e.status<500&&e.status!==408&&e.status!==429&&e.code!=="idempotency_in_progress";function Ns(e){let t=_(ve(Os(e)??"null"));return E(()=>ks(e,t.value&&ce(t.value))),t}var ue=Ns("petstore.add"),P=Ns("petstore.edit");var A=_([]),H=_([]),Pe=_([]),N=_(null),Re=_(null),wn=_([]),gt=_(null),Xe=_(new Set),Se=_(null),fe=_(!1),qt=_(!1),et=_(""),Ze=_(null),tt=_(null),J=_([]),R=_(null),C=_(null),$n=_(new Map),nt=_(""),Q=_(history.state?.sheet??null),Yn=_(null),ie=Yn;function L(e){let t=Yn.peek();Yn.value=e,t?.whenGone?.()}var bt=_(null),le=_(new Set),we=x(()=>A.value.at(-1)?.next),Ji=x(()=>ce(J.value.map(({categoryId:e,label:t,name:n})=>({id:e,label:t,name:n})))),Is=x(()=>ve(Ji.value)),Qi=x(()=>new Map(Is.value.map(({id:e,label:t})=>[e,t]))),U=e=>Qi.value.get(e)??`Category ${e}`,As=x(()=>new Map(Is.value.flatMap(({id:e,name:t})=>t===void 0?[]:[[e,t]]))),vt=x(()=>{let{status:e,category:t,search:n}=h.value;if(n){if(e||we.value||fe.value||Se.value)return;let r=A.value.flatMap(({pets:a})=>a),s=a=>r.filter(i=>i.status===a).length;return{available:s("available"),pending:s("pending"),sold:s("sold")}}if(t===void 0||!Ze.value)return Ze.value??void 0;let o={available:0,pending:0,sold:0};return J.value.find(({categoryId:r})=>r===t)??o}),_t=({available:e,pending:t,sold:n})=>e+t+n,ze=x(()=>{let{status:e}=h.value;return vt.value&&(e?vt.value[e]:_t(vt.value))}),Zn=x(()=>R.value?.orders.some(({status:e})=>/placed|completed/.test(e))??!1),Ut=(e,t)=>ce(e)===ce(t),Le={count:0};function De(e){Le.count++;let t=o=>o.id===e.id&&!Ut(o,e),n=o=>o.map(r=>r.id===e.id?e:r);X(()=>{R.value?.pet?.id===e.id&&(R.value={...R.value,pet:e}),H.value.some(t)&&(H.value=n(H.value)),A.value.some(({pets:o})=>o.some(t))&&(A.value=A.value.map(o=>o.pets.some(t)?{...o,pets:n(o.pets)}:o))})}function jt(e){if(Le.count++,!C.value)return;let t=C.value.items.map(n=>n.order.id===e.id?{...n,order:e}:n);C.value={...C.value,items:t}}function de(e,t){I.value!==null&&(bn(e)?G.value=!1:L({text:oe(e),isError:!0,isWaiting:Ht(e),undo:t}))}function Rs(){X(()=>{Yn.value=null,Vt(),et.value=nt.value=Ae.value="",$n.value=new Map,Ze.value=tt.value=R.value=C.value=null,Q.value=se.value=ue.value=P.value=null,Re.value?.stop(),N.value=gt.value=null,wn.value=A.value=H.value=Pe.value=J.value=[],Xe.value=new Set})}var Yi=5,Bt=new Intl.Collator(void 0,{numeric:!0}),Zi=1e3,$t=e=>e.normalize("NFKD").replace(/\p{M}/gu,"").toLowerCase(),Xn=e=>$t(e).match(/[\p{L}\p{N}]+/gu)??[],Ls=e=>/[\p{L}\p{N}]/u.test(e.normalize("NFKD")),Xi=(e,t)=>t.some(n=>n===e||e.length>2&&n.startsWith(e));function el(e){let t=e.split(/\s+/);return[...As.value].flatMap(([n,o])=>{let r=Xn(o),s=t.filter(i=>!Xn(i).some(d=>Xi(d,r)));if(s.length===t.length)return[];let a=s.join(" ");return{categoryId:n,search:Ls(a)?a:void 0,others:r.length+s.length}}).sort((n,o)=>n.others-o.others).slice(0,Yi)}var tl=x(()=>{let{search:e,...t}=je.value;if(e===void 0)return ce([je.value]);let n=t.categoryId===void 0?el(e):[],o=Ls(e)?[je.value]:[];return ce([...o,...n.map(({categoryId:r,search:s})=>({...t,categoryId:r,search:s}))])}),wt=x(()=>ve(tl.value));async function nl(e){let{search:t,...n}=je.value,o=Mt(t?.replace(/^#/,"")??null);if(o===void 0)return[];let{items:r}=await v().pets.list({...n,id:[o]},e).page();return r}function ol(e,t){let n=Xn(t).join(" "),[o=[],r=[]]=[!0,!1].map(s=>e.filter(({name:a})=>Xn(a).join(" ")===n===s));return[...o,...r]}async function xn(e,t,n,o){let r=e??{source:0,cursor:void 0},s=e?[]:await nl(n);for(;r;){let a=wt.value[r.source];if(!a)return{pets:s,next:void 0};let{items:i,next:d}=await v().pets.list({...a,...o&&{limit:o},cursor:r.cursor},n).page(),c=r.source+1>=wt.value.length?void 0:{source:r.source+1,cursor:void 0};for(let{id:u}of s)t.add(u);let p=i.filter(({id:u})=>!t.has(u));s.push(...je.value.search?ol(p,je.value.search):p),r=d?{source:r.source,cursor:d}:c;let m=h.value.sort==="name"?Zi:1;if(s.length>=m)break}for(let{id:a}of s)t.add(a);return{pets:s,next:r}}var Ds=1e3,rl=10,or={count:0};async function rr(e){let t=[...new Set(e.map(({petId:r})=>r))],n=Array.from({length:Math.ceil(t.length/M)},(r,s)=>{let a=t.slice(s*M,(s+1)*M);return v().pets.list({limit:M,id:a}).page()}),o=new Map((await Promise.all(n)).flatMap(({items:r})=>r.map(s=>[s.id,s])));return e.flatMap(r=>{let s=o.get(r.petId);return s?{order:r,pet:s}:[]})}async function Fs(e){let t=await v().orders.list(e).page();return{items:await rr(t.items),next:t.next?{...e,cursor:t.next}:void 0}}var eo=e=>({limit:M,order:"desc",status:e}),sl=({order:e},{order:t})=>(e.heldUntil??"~")<(t.heldUntil??"~")?-1:e.heldUntil===t.heldUntil?0:1,sr=e=>[...new Map(e.map(t=>[t.order.id,t])).values()];async function ar(e,t){let{items:n,next:o}=e;for(;o&&n.length<t;){let r=await Fs(o);n=sr([...n,...r.items]),o=r.next}return{items:o?.status==="placed"||n[0]?.order.status==="placed"?n.toSorted(sl):n,next:o}}var al=()=>ar({items:[],next:eo("placed")},Ds);async function il(e){let{orders:t,pets:n}=v(),o=Mt(e.replace(/^#/,"")),r=async y=>(await t.list({petId:y,limit:M,order:"desc"}).page()).items,s=async()=>{let y=[{status:"sold"},{}],$=/[\p{L}\p{N}]/u.test(e)?y.map(O=>n.list({...O,search:e,limit:rl,order:"desc"}).page()):[],w=new Set((await Promise.all($)).flatMap(({items:O})=>O.map(b=>b.id)));return(await Promise.all([...w].map(r))).flat()},a=async y=>{let $=await t.get(y).catch(w=>{if(ae(w)!=="order_not_found")throw w});return $?[$]:[]},i=$t(e),d=({order:y,pet:$})=>[y.reference??"",$.name].some(w=>$t(w).includes(i)),[f,...c]=await Promise.all([al(),o===void 0?[]:a(o),o===void 0?[]:r(o),t.list({reference:e,limit:M,order:"desc"}).page().then(({items:y})=>y),s()]),[p=[],...m]=c,u=[...await rr(p),...f.items.filter(d),...await rr(m.flat())];return{items:sr(u),next:void 0}}async function ir(e,t){let n=++or.count,o=Le.count;try{let r=await e();return n!==or.count?void 0:o===Le.count?r:await ir(e,t)}catch(r){return n===or.count?{...t,failure:r}:void 0}}async function Wt(){let{find:e,tab:t="placed"}=h.value,n=t==="placed"?Ds:Math.max(Io,C.value?.items.length??0),o={items:[],next:void 0},r=await ir(()=>e?il(e):ar({...o,next:eo(t)},n),o);r&&(C.value=r),await to()}async function lr(){let e=C.value;if(!e)return;let{failure:t,...n}=e;C.value=await ir(()=>ar(n,n.items.length+1),n)??C.value}async function to(){try{let e=await Promise.all(It.map(t=>v().orders.list(eo(t)).page()));$n.value=new Map(It.map((t,n)=>[t,ll(e[n])]))}catch(e){de(e)}}var ll=e=>`${e?.items.length??0}${e?.next?"+":""}`,Oe=()=>h.value.show==="orders"&&g("orders:read")&&g("pets:read");async function Vs(e){if(!Oe()||!C.value)return;let{find:t,tab:n}=h.value,o=C.value.items.filter(({pet:a})=>e.includes(a.id)),[r,...s]=await Promise.all([t||n?void 0:Fs(eo("placed")),...o.map(({order:a})=>v().orders.get(a.id))]);X(()=>{for(let a of s)jt(a);r&&C.value&&(C.value={...C.value,items:sr([...C.value.items,...r.items])})}),await to()}var Fe=_(null),Hs=["order.completed","order.returned"],Kt=()=>{let e=new Date,t=n=>String(n).padStart(2,"0");return`${e.getFullYear()}-${t(e.getMonth()+1)}-${t(e.getDate())}`},xt=()=>h.value.show==="report"&&g("orders:read")&&g("events:read")&&g("pets:read");async function dl(e){try{let{items:t}=await v().events.list({type:Hs,after:e,limit:1}).page();return t[0]}catch(t){if(ae(t)==="events_expired")return"early";throw t}}async function cl(e){let t=async r=>{let s=await dl(r);return s==="early"||s!==void 0&&s.at<e};if(!await t(0n))return 0n;let[n,o]=[0n,1n];for(;await t(o);)[n,o]=[o,o*4n];for(;o-n>1n;){let r=(n+o)/2n;await t(r)?n=r:o=r}return n}async function ul(e){let t=new Date(`${e}T00:00`),n=new Date(t.getFullYear(),t.getMonth(),t.getDate()+1),[o,r]=[t.toISOString(),n.toISOString()],s=[];for await(let f of v().events.list({type:Hs,after:await cl(o),limit:M})){if(f.at>=r)break;f.at>=o&&s.push(f)}let a=[...new Set(s.map(({data:f})=>f.petId))],i=new Map;for(let f=0;f<a.length;f+=M){let{items:c}=await v().pets.list({id:a.slice(f,f+M),limit:M}).page();for(let p of c)i.set(p.id,p)}let d=s.map(({at:f,type:c,data:p,by:m})=>{let u=p;return{at:f,what:c==="order.completed"?"sold":"returned",order:u,pet:i.get(u.petId),by:m}});return{day:e,rows:d}}async function Pt(){let e=h.value.day??Kt();Fe.value?.day!==e&&(Fe.value=null);let t=await ul(e).catch(n=>({day:e,rows:[],failure:n}));(h.value.day??Kt())===e&&(Fe.value=t)}async function qs(){xt()&&await Pt()}var js=1e3,Ve={list:0,counts:0,animal:0},Bs=e=>new Set(e.flatMap(({pets:t})=>t.map(({id:n})=>n)));async function Ws(e){let t=++Ve.list;fe.value=!0,Se.value=null;try{let n=await xn(e,Bs(e?A.value:[]));if(t!==Ve.list)return;X(()=>{fe.value=!1,e||Us(),A.value=[...A.value,n],e||(zt.value=new Date)})}catch(n){if(t!==Ve.list)return;X(()=>{fe.value=!1,Ht(n),e||Us(),Se.value=n})}}var zt=_(null);function Us(){A.value.length>0&&scrollTo(0,0),A.value=H.value=Pe.value=[]}var Pn=()=>Ws();async function no(){we.value&&!fe.value&&await Ws(we.value)}function dr(e){let t=e.map(o=>({...o,label:o.name??`Category ${o.categoryId}`})),n=Map.groupBy(t,({label:o})=>o);return t.map(o=>n.get(o.label)?.length===1?o:{...o,label:`${o.label} (${o.categoryId})`}).sort((o,r)=>Bt.compare(o.label,r.label))}async function pe(){let e=++Ve.counts,[t,n,o]=await Promise.all([v().inventory(),v().inventoryByCategory().toArray({limit:js}),v().sales(30)]);e===Ve.counts&&X(()=>{Ze.value=t,J.value=dr(n),tt.value=o})}async function $e(e){let t=++Ve.animal,n=Le.count,o=()=>t===Ve.animal&&h.value.pet===e;R.value?.pet?.id!==e&&(R.value=null);try{let[r,s]=await Promise.all([v().pets.get(e),g("orders:read")?v().orders.list({petId:e}).toArray({limit:js}):[]]);if(!o())return;if(n!==Le.count)return await $e(e);R.value={...R.value,pet:r,orders:s},De(r),g("events:read")&&pl(e).catch(()=>{})}catch(r){if(!o())return;Ht(r),R.value===null||ae(r)==="pet_not_found"?R.value={orders:[],failure:r}:de(r)}}var fl=30;async function pl(e){for(let t=0;t<fl;t++){let n=R.value?.eventsRead,{items:o,next:r}=await v().events.list({petId:e,limit:M,cursor:n}).page();if(R.value?.pet?.id!==e)return;let s=new Map([...R.value.events??[],...o].map(a=>[a.id,a]));if(R.value={...R.value,events:[...s.values()],eventsRead:r},r===n)return}}async function ml(){let e=H.value;if(e.length===0)return;let t=e.slice(0,M).map(o=>o.id),{items:n}=await v().pets.list({limit:M,id:t}).page();H.value===e&&(H.value=[...n.reverse(),...e.slice(M)])}async function hl(){let e=Ve.list,t=Le.count,n=[],o;for(;n.length<A.value.length&&(n.length===0||o);){let r=await xn(o,Bs(n));if(e!==Ve.list)return;if(t!==Le.count)return await ee();n.push(r),o=r.next}zt.value=new Date,A.value=n.map((r,s)=>{let a=A.value[s];return a&&Ut(r,a)?a:r})}async function ee(){if(I.value===null?G.value=!0:se.value||await yt(I.value),!!g("pets:read")){Se.value&&(A.value.length===0?Pn():no());try{await pe(),Oe()&&await Wt(),xt()&&await Pt(),h.value.pet!==void 0&&await $e(h.value.pet),Pe.value=[],await ml(),await hl()}catch(e){de(e)}}}function Ks(){Ve.list++}var Gs=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?o[0]=i:a===4?o[1]=Object.assign(o[1]||{},i):a===5?(o[1]=o[1]||{})[t[++s]]=i:a===6?o[1][t[++s]]+=i+"":a?(r=e.apply(i,Gs(e,i,n,["",null])),o.push(r),i[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(i)}return o},zs=new Map;function Js(e){var t=zs.get(this);return t||(t=new Map,zs.set(this,t)),(t=Gs(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,a="",i="",d=[0],f=function(m){s===1&&(m||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?d.push(0,m,a):s===3&&(m||a)?(d.push(3,m,a),s=2):s===2&&a==="..."&&m?d.push(4,m,0):s===2&&a&&!m?d.push(5,0,!0,a):s>=5&&((a||!m&&s===5)&&(d.push(s,0,a,r),s=6),m&&(d.push(s,m,0,r),s=6)),a=""},c=0;c<n.length;c++){c&&(s===1&&f(),f(c));for(var p=0;p<n[c].length;p++)o=n[c][p],s===1?o==="<"?(f(),d=[d],s=3):a+=o:s===4?a==="--"&&o===">"?(s=1,a=""):a=o+a[0]:i?o===i?i="":a+=o:o==='"'||o==="'"?i=o:o===">"?(f(),s=1):s&&(o==="="?(s=5,r=a,a=""):o==="/"&&(s<5||n[c][p+1]===">")?(f(),s===3&&(d=d[0]),s=d,(d=d[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(f(),s=2):a+=o),s===3&&a==="!--"&&(s=4,d=d[0])}return f(),d})(e)),t),arguments,[])).length>1?t:t[0]}var l=Js.bind(Ln),S=e=>e.toLocaleString("en"),me=e=>`${S(e)} animal${e===1?"":"s"}`,Gt=2048,re=e=>({currentTarget:t})=>e(t.value),oo=()=>l`<a class="reference" href="docs">API reference</a>`,ro=e=>l`<th role="columnheader" scope="col">${e}</th>`,Sn=({status:e})=>l`<span class="status ${e}">${e}</span>`,yl=new Intl.Segmenter;function so({pet:e}){let[t]=yl.segment(e.name.replace(/^[\p{C}\p{Z}]+/u,"").slice(0,32)),n=(Number(BigInt.asUintN(16,e.categoryId))*67+20)%360;return l`<span class="initial" aria-hidden="true" style=${{"--hue":n}}>${t?.segment.toUpperCase()}</span>`}function ke({of:e,field:t}){let n=bt.value?.of===e&&bt.value.fields.get(t);return n?l`<p role="alert" class="refusal" id="${t}-fault">${n}</p>`:void 0}function Ce({title:e,isForm:t,onClose:n,children:o}){let r=B(null),s=B(null),a=B(!1);Z(()=>(r.current?.showModal(),()=>{bt.value=null}),[]),Z(()=>{r.current?.contains(document.activeElement)||s.current?.focus()});let i=f=>{f.preventDefault(),n()},d=({target:f})=>f===r.current;return l`<dialog ref=${r} aria-labelledby="sheet-title" onCancel=${i}
    onMouseDown=${f=>a.current=d(f)}
    onClick=${f=>a.current&&d(f)&&n()}>
    <div class="sheet">
      <div class="head">
        <h2
          id="sheet-title"
          ref=${s}
          dir="auto"
          tabindex=${e.length>99?0:-1}
          autofocus=${!t}
        >
          ${e}
        </h2>
        <button type="button" class="plain" onClick=${n}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Close</span>
        </button>
      </div>
      ${o}
      <${Qt} />
    </div>
  </dialog>`}var vl=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Ys={day:"numeric",month:"short",hour:"numeric",minute:"2-digit"},gl=new Intl.DateTimeFormat(void 0,Ys),bl=new Intl.DateTimeFormat(void 0,{...Ys,year:"numeric"});function Te({at:e}){let t=new Date(e),n=t.getFullYear()===new Date().getFullYear()?gl:bl;return l`<time datetime=${e}>${n.format(t)}</time>`}var Jt=()=>g("events:read")?qt.value&&G.value&&l`<span class="freshness live quiet">Live</span>`:zt.value!==null&&l`<span class="freshness quiet">
        As of <time datetime=${zt.value.toISOString()}>${vl.format(zt.value)}</time>
        <button type="button" class="plain" onClick=${ee}>Refresh</button>
        <span>Not live: this key lacks <code>events:read</code>.</span>
      </span>`,_l=8;function wl(){document.activeElement===document.body&&document.querySelector("dialog #sheet-title")?.focus()}function Qs(){let{text:e="",undo:t}=ie.peek()??{};L({text:e,undo:t})}function $l({onSave:e}){let t=B(null),n=B(!1);Z(()=>(matchMedia("(pointer: fine)").matches&&t.current?.focus({preventScroll:!0}),()=>setTimeout(wl)),[]);let o=()=>{let i=t.current?.value.trim();n.current||(n.current=!0,i?e(i):Qs())};return l`<form onSubmit=${i=>{i.preventDefault(),o()}}>
    <input
      ref=${t}
      aria-label="For whom (Enter skips it)"
      placeholder="For whom? Enter skips"
      dir="auto"
      maxlength="256"
      autocomplete="off"
      onKeyDown=${i=>{i.key==="Escape"&&(i.preventDefault(),i.stopPropagation(),n.current=!0,Qs())}}
      onBlur=${()=>t.current?.value.trim()&&o()}
    />
  </form>`}function Qt(){let e=B(null),{text:t,undo:n,isError:o,refer:r}=ie.value??{};return Z(()=>{if(!t||o||!G.value)return;let s=_l,a=setInterval(()=>{!e.current?.matches(":hover, :focus-within")&&--s<=0&&L(null)},1e3);return()=>clearInterval(a)},[ie.value,G.value]),l`<div class="messages" role="status" ref=${e}>
    ${!G.value&&l`<p class="message offline">
        No connection. ${(ue.value?.name||P.value)&&"What you typed is kept. "}
        <button type="button" onClick=${ee}>Try again</button>
      </p>`}
    ${t&&l`<div class="message ${o?"failed":""}"><span dir="auto">${t}</span>
        ${r&&l`<${$l} key=${ie.value} onSave=${r} />`}
        ${n&&l`<button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick=${n}>Undo</button>`}
        <button type="button" class="plain" onClick=${()=>L(null)}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Dismiss</span>
        </button>
      </div>`}
  </div>`}async function he(e,t,n){if(le.value.has(e))return!1;le.value=new Set(le.value).add(e),L(null),bt.value=null;let o=!navigator.onLine;try{return L(await t()),Xo(),pe().catch(de),!0}catch(r){ms();let s=xl(e)&&Ms(r);return s?(bt.value={of:e,fields:s},!1):(de(r,_n(r)?void 0:n),bn(r)&&L({text:Sl(e,o),isError:!0,undo:n}),_n(r)&&ee(),!1)}finally{le.value=new Set([...le.value].filter(r=>r!==e))}}var xl=e=>/^(?:add|save|name|hold)\b/.test(e),Pl={add:["The animal","added"],save:["What you typed","saved"],order:["The order","placed"],move:["The order","changed"],hold:["The order","saved"],name:["The name","saved"],remove:["The animal","removed"],undo:["It","undone"]};function Sl(e,t){let[n,o]=Pl[e.replace(/ .*/,"")]??["It","done"];return t&&!navigator.onLine?`${n} was not ${o}. Try again when the connection is back.`:`${n} was perhaps ${o}: no answer came. When the connection is back, the page shows how it is.`}function St(e,t){let n=()=>he(`undo ${e}`,t,n);return n}function te({name:e}){let t=[...e];return l`<bdi>${t.length>40?`${t.slice(0,39).join("")}…`:e}</bdi>`}var Ol=e=>J.value.find(({categoryId:t})=>t===e)?.label,Ge=e=>te({name:e});async function ao(e){let t=dr(await v().inventoryByCategory().toArray()),n=t.find(a=>[a.label,a.name??""].some(i=>Dt(i)===Dt(e)));if(n)return n.categoryId;let s=t.map(({categoryId:a})=>a).filter(a=>a<1n<<52n).reduce((a,i)=>i>a?i:a,0n)+BigInt(1+Math.floor(Math.random()*1e6));return await v().categories.put(s,{name:e.trim()}),s}var Zs=e=>he("name new",async()=>{let t=new Set(J.value.map(({categoryId:r})=>r)),n=await ao(e);if(await pe(),t.has(n))return{text:l`There is a category ${Ge(Ol(n)??e)} already.`};let o=St("name new",async()=>(await v().categories.delete(n),{text:l`The category ${Ge(e)} was removed again.`}));return{text:l`The category ${Ge(e)} was added.`,undo:o}}),Xs=({categoryId:e,label:t,name:n},o)=>he(`name ${e}`,async()=>{let r=await v().categories.put(e,{name:o});await pe();let s=St(`name ${e}`,async()=>(n?await v().categories.put(e,{name:n},{ifMatch:r}):await v().categories.delete(e,{ifMatch:r}),{text:l`${Ge(o)} is called ${Ge(t)} again.`}));return{text:l`${Ge(t)} is called ${Ge(o)} now.`,undo:s}}),ea=({categoryId:e,label:t,name:n=t})=>he(`name ${e}`,async()=>{await v().categories.delete(e),await pe();let o=St(`name ${e}`,async()=>(await v().categories.put(e,{name:n}),{text:l`The category ${Ge(n)} is back.`}));return{text:l`The category ${Ge(n)} was removed.`,undo:o}});async function ta({id:e}){let t=await v().pets.get(e);return{pet:t,etag:na(t)}}var na=e=>v().etag(e)??"",oa=(e,t)=>he("add",async()=>{let{name:n,category:o,newCategory:r=""}=e,s=o?BigInt(o):await ao(r),a=await v().pets.create({name:n,categoryId:s},{idempotencyKey:t});H.value=[a,...H.value];let i=St("add",async()=>(await v().pets.delete(a.id,{ifMatch:a}),H.value=H.value.filter(({id:d})=>d!==a.id),{text:l`${te(a)} was removed again.`}));return{text:l`${te(a)} was added.`,undo:i}});function ra(e){let t={isKept:!1},n=()=>{Xe.value=new Set([...Xe.value].filter(s=>s!==e.id))},o=()=>{t.isKept=!0,L({text:l`${te(e)} stays.`})},r=async()=>{if(t.isKept)return n();try{await v().pets.delete(e.id),pe().catch(de)}catch(s){if(ae(s)==="pet_not_found")return;n();let a=ae(s)==="order_state_conflict"?"it stays in the books with its orders.":oe(s);L({text:l`${te(e)} was not removed: ${a}`,isError:!0})}};Xe.value=new Set(Xe.value).add(e.id),ut(),L({text:l`${te(e)} will be removed when this message goes.`,undo:o,whenGone:r})}var sa=({id:e})=>he("edit",async()=>{let{pet:t,etag:n}=await ta({id:e}),o=P.value;if(De(t),P.value={before:t,etag:n,name:t.name,category:String(t.categoryId),status:t.status},!o||Object.keys(Yt(o)).length===0)return null;let r=()=>{L(null),P.value=o,V({pet:o.before.id})};return{text:l`What you typed for ${te(o.before)} was dropped.`,undo:r}});function Yt({before:e,name:t,category:n,status:o}){let r=n?BigInt(n):e.categoryId;return{...t!==e.name&&{name:t},...r!==e.categoryId&&{categoryId:r},...o!==e.status&&!Zn.value&&{status:o}}}var ur=(e,t)=>Object.fromEntries(Object.keys(t).map(n=>[n,e[n]])),fr=()=>he("save",async()=>{let e=P.value;if(!e)return null;let{before:t}=e;if(!e.category){let s=String(await ao(e.newCategory??""));e=P.value={...P.value??e,category:s}}let n=Yt(e);if(Object.keys(n).length===0)return P.value=null,null;let o=await kl(e,n);if(!o)return null;De(o),P.value=P.value===e||!P.value?null:{...P.value,before:o,etag:na(o)};let r=St("save",async()=>{let s=await v().pets.update(t.id,ur(t,n),{ifMatch:o});return De(s),{text:l`${te(s)} is as it was.`}});return{text:l`${te(o)} was saved.`,undo:r}});async function kl({before:e,etag:t},n){try{return await v().pets.update(e.id,n,{ifMatch:t})}catch(o){if(ae(o)!=="precondition_failed")throw o;let{pet:r,etag:s}=await ta(e);if(De(r),await $e(e.id),Object.entries(n).every(([a,i])=>r[a]===i))return r;P.value&&(P.value={...P.value,theirs:r,etag:s})}}function aa(){P.value=null}async function ia(){let e=P.value;if(!e?.theirs)return;let{name:t,categoryId:n,status:o}={...e.theirs,...Yt(e)},{etag:r,theirs:s}=e;P.value={before:s,etag:r,name:t,category:String(n),status:o},await fr()}var cr=new WeakMap,Zt=(e,t)=>he(`order ${e.id}`,async()=>{let n=cr.get(e)??Lt();cr.set(e,n);let{reference:o,heldUntil:r}=t??{},s=r!==void 0&&Date.parse(r)>Date.now(),a={petId:e.id,...o&&{reference:o},...s&&{heldUntil:r}},i=await v().orders.place(a,{idempotencyKey:n});return cr.delete(e),C.value&&(C.value={...C.value,items:[{order:i,pet:e},...C.value.items]}),await mr(e,"pending"),la(e,i)});function la(e,t){let{reference:n}=t,o=()=>ot(e,t,"cancel");return n?{text:l`${te(e)} is reserved for ${te({name:n})}.`,undo:o}:{text:l`${te(e)} is reserved.`,undo:o,refer:r=>pr(e,t,{reference:r})}}var pr=(e,{id:t,status:n},o)=>he(`hold ${t}`,async()=>{let r=await v().orders.update(t,o);return jt(r),h.value.pet===e.id&&await $e(e.id),n==="placed"?la(e,r):{text:l`Order ${t} was saved.`}}),Cl={complete:["sold",e=>l`${te(e)} is sold.`],cancel:["available",e=>l`The order is cancelled; ${te(e)} is available again.`],return:["available",e=>l`${te(e)} was taken back, and is available again.`]},ot=(e,t,n)=>he(`move ${t.id}`,async()=>{let[o,r]=Cl[n];jt(await v().orders[n](t.id)),await mr(e,o);let s={complete:()=>Tl(e,t),cancel:()=>Zt(e,t),return:void 0}[n];return{text:r(e),undo:s}}),Tl=(e,t)=>he(`move ${t.id}`,async()=>(jt(await v().orders.return(t.id)),await mr(e,"available"),await Zt(e,t),ie.value));function io(e,t){confirm(`Take ${e.name} back? Its sale is undone, and it is available again.`)&&ot(e,t,"return")}async function mr(e,t){De({...e,status:t}),Oe()&&to(),h.value.pet===e.id&&await $e(e.id)}function El(e,t){let n=$t(t.trim());return n?e.map(r=>({choice:r,at:$t(r.text).indexOf(n)})).filter(({at:r})=>r>=0).sort((r,s)=>Math.min(r.at,1)-Math.min(s.at,1)).map(({choice:r})=>r):e}function Xt({label:e,text:t,choices:n,placeholder:o,required:r,onPick:s,onType:a}){let i=Jr(),d=B(null),[f,c]=Y(!1),[p,m]=Y(null),[u,y]=Y(0),$=f?El(n,p??""):[];Z(()=>{d.current?.children[u]?.scrollIntoView({block:"nearest"})},[u,f]);let w=()=>{c(!1),m(null)},O=()=>{c(!0),y(Math.max(0,p===null?n.findIndex(K=>K.text===t):0))},b=K=>{K&&s(K.value),w()},T=({currentTarget:{value:K}})=>{m(K),c(!0),y(0),a?.(K)},D=K=>{let Ee={ArrowDown:1,ArrowUp:-1}[K.key];if(Ee&&!f)O();else if(Ee)y((u+Ee+$.length)%Math.max(1,$.length));else if(f&&K.key==="Enter")b($[u]);else if(f&&K.key==="Escape")w();else return;K.preventDefault(),K.stopPropagation()},st=f&&$.length>0;return l`<div class="combobox">
    <input
      role="combobox"
      dir="auto"
      aria-label=${e}
      aria-expanded=${st}
      aria-controls=${i}
      aria-autocomplete="list"
      aria-activedescendant=${st?`${i}-${u}`:void 0}
      autocomplete="off"
      placeholder=${o}
      required=${r}
      value=${p??t}
      onInput=${T}
      onKeyDown=${D}
      onClick=${O}
      onFocus=${({currentTarget:K})=>K.select()}
      onBlur=${w}
    />
    <ul id=${i} role="listbox" aria-label="${e}: what fits" hidden=${!st} ref=${d}>
      ${$.map(({value:K,text:Ee,note:Me},Ot)=>l`<li
          key=${K}
          id="${i}-${Ot}"
          role="option"
          dir="auto"
          aria-selected=${Ot===u}
          onMouseDown=${Ne=>Ne.preventDefault()}
          onClick=${()=>b($[Ot])}
        >
          ${Ee}${Me!==void 0&&l` <small>${Me}</small>`}
        </li>`)}
    </ul>
  </div>`}var On=()=>J.value.map(e=>({value:String(e.categoryId),text:e.label,note:S(_t(e))}));function hr({category:e,newCategory:t="",put:n}){let o=r=>{let s=J.value.find(({label:a})=>Dt(a)===Dt(r));n({category:s?String(s.categoryId):"",newCategory:s?"":r})};return l`<div class="field">
    <span aria-hidden="true">Category</span>
    <${Xt}
      label="Category"
      placeholder="Choose one, or type a new one"
      required
      text=${e?U(BigInt(e)):t}
      choices=${On()}
      onPick=${r=>n({category:r,newCategory:""})}
      onType=${o}
    />
    <p class="quiet" role="status">${!e&&t.trim()&&"A new category."}</p>
  </div>`}function da({onClose:e}){let[t,n]=Y("");return l`<${Ce} title="Categories" isForm onClose=${e}>
    <form class="fields inline" onSubmit=${async r=>{r.preventDefault(),await Zs(t)&&n("")}}>
      <label>
        New category
        <input dir="auto" required maxlength=${Gt} autofocus value=${t} onInput=${re(n)} />
      </label>
      <button class="primary">Add</button>
      <${ke} of="name new" field="name" />
    </form>
    <ul class="categories">
      ${J.value.map(r=>l`<${Ml} key=${r.categoryId} category=${r} />`)}
    </ul>
    ${J.value.length>0&&l`<p class="quiet">A category that has no animals can be removed.</p>`}
  <//>`}function Ml({category:e}){let t=_t(e);return l`<li><form onSubmit=${async o=>{o.preventDefault();let r=o.currentTarget,s=String(new FormData(r).get("name"));(s===(e.name??"")||await Xs(e,s))&&r.reset()}}>
    <label><span class="hidden">Name of ${e.label}</span>
      <input
        name="name"
        dir="auto"
        required
        maxlength=${Gt}
        placeholder=${e.label}
        defaultValue=${e.name??""}
      />
    </label>
    <button>Rename<span class="hidden"> ${e.label}</span></button>
    <${ke} of="name ${e.categoryId}" field="name" />
    <span class="quiet">${me(t)}</span>
    ${t===0&&l`<button type="button" class="plain" onClick=${()=>ea(e)}>
        Remove<span class="hidden"> ${e.label}</span>
      </button>`}
  </form></li>`}function ca({onClose:e}){let t=B(null),[n]=J.value.length===1?J.value:[],r={name:"",category:String(h.value.category??n?.categoryId??""),...ue.value},s=i=>{ue.value={name:"",...ue.value,...i,attempt:void 0}},a=async i=>{i.preventDefault();let d=r.attempt??Lt(),f=ue.value={...r,attempt:d};await oa(f,d)&&(ue.value===f&&(ue.value={name:"",category:String(H.value[0]?.categoryId??"")}),t.current?.focus())};return Z(()=>()=>{ue.value?.name===""&&(ue.value=null)},[]),l`<${Ce} title="Add an animal" isForm onClose=${e}>
    <form class="fields" onSubmit=${a}>
      <label>
        Name
        <input
          ref=${t}
          dir="auto"
          required
          maxlength=${Gt}
          autocomplete="off"
          autofocus
          value=${r.name}
          aria-describedby="name-fault"
          onInput=${re(i=>s({name:i}))}
        />
      </label>
      <${ke} of="add" field="name" />
      <${hr} category=${r.category} newCategory=${r.newCategory} put=${s} />
      <${ke} of="add" field="categoryId" />
      <div class="actions"><button class="primary" disabled=${le.value.has("add")}>Add</button></div>
      <p class="quiet">Enter adds it and makes ready for the next.</p>
    </form>
  <//>`}var Nl=()=>{P.value=null};function Il(){let e=P.value;e&&!e.newCategory&&!e.theirs&&Object.keys(Yt(e)).length===0&&(P.value=null)}var ua=({draft:e,isHeld:t})=>e.theirs?l`<${Dl} draft=${e} theirs=${e.theirs} />`:l`<${Rl} draft=${e} isHeld=${t} />`,Al=({before:e})=>fn.filter(t=>t!=="sold"||e.status===t);function Rl({draft:e,isHeld:t}){let n=B(null);Z(()=>(n.current?.focus(),Il),[]);let o=s=>{P.value={...P.value??e,...s}};return l`<form class="fields" onSubmit=${s=>{s.preventDefault(),fr()}}>
    <label>
      Name
      <input
        ref=${n}
        dir="auto"
        required
        maxlength=${Gt}
        value=${e.name}
        aria-describedby="name-fault"
        onInput=${re(s=>o({name:s}))}
      />
    </label>
    <${ke} of="save" field="name" />
    <${hr} category=${e.category} newCategory=${e.newCategory} put=${o} />
    <${ke} of="save" field="categoryId" />
    ${t?l`<p class="quiet">
            Whether it is available, pending or sold follows from its order: complete or cancel the order, or take the
            animal back.
          </p>`:l`<label>Status
      <select value=${e.status} onChange=${re(s=>o({status:s}))}>
        ${Al(e).map(s=>l`<option value=${s}>${s}</option>`)}
      </select>
    </label>`}
    <div class="actions">
      <button class="primary" disabled=${le.value.has("save")}>Save</button>
      <button type="button" onClick=${Nl}>Cancel</button>
    </div>
  </form>`}var Ll=[{label:"Name",textOf:({name:e})=>e},{label:"Category",textOf:({categoryId:e})=>U(e)},{label:"Status",textOf:({status:e})=>e}];function Dl({draft:e,theirs:t}){let n={...t,...Yt(e)},o=Ll.filter(({textOf:s})=>[t,n].some(a=>s(a)!==s(e.before))),r=(s,a)=>l`<section>
    <h4>${s}</h4>
    <dl>
      ${o.map(({label:i,textOf:d})=>l`<div class=${d(t)!==d(n)?"changed":""}>
          <dt>${i}</dt><dd dir="auto">${d(a)}</dd>
        </div>`)}
    </dl>
  </section>`;return l`<div class="conflict" role="alert">
    <h3>It changed meanwhile</h3>
    <p>Somebody else saved this animal while you were editing it. Nothing is lost: choose what it should be.</p>
    <div class="versions">${r("Theirs, as it is now",t)}${r("Yours, on top of it",n)}</div>
    <div class="actions">
      <button type="button" class="primary" disabled=${le.value.has("save")} onClick=${ia}>Save yours</button>
      <button type="button" onClick=${aa}>Keep theirs</button>
    </div>
  </div>`}var Fl={"order.placed":"Ordered","order.updated":"Order changed","order.completed":"Sold","order.cancelled":"Order cancelled","order.returned":"Taken back","order.expired":"Reservation ended"},Vl={"order.placed":"pending","order.completed":"sold","order.cancelled":"available","order.returned":"available","order.expired":"available"};function Hl(e,t){return[t?.name!==e.name?`Named ${e.name}`:"",t?.categoryId!==e.categoryId?`Moved to ${U(e.categoryId)}`:"",t?.status!==e.status?`Marked as ${e.status}`:""].filter(Boolean)}function ql(e){let t;return e.flatMap((n,o)=>{let{type:r,data:s}=n;if(r.startsWith("order.")){let{reference:c}=s;return{event:n,text:`${Fl[r]??r}${c?` for ${c}`:""}`}}let[a,i]=[t,s];if(t=i,r!=="pet.updated")return{event:n,text:r==="pet.created"?"Added":"Removed"};let d=[e[o-1],e[o+1]].some(c=>c&&Vl[c.type]===i.status&&Math.abs(Date.parse(n.at)-Date.parse(c.at))<1e3),f=Hl(d&&a?{...i,status:a.status}:i,a).join(", ");return f?{event:n,text:f}:[]})}function fa({events:e}){let t=ql(e).reverse();return t.length>0&&l`<section class="history" aria-labelledby="history-title">
      <h3 id="history-title">History</h3>
      <ol>
        ${t.map(({event:n,text:o})=>l`<li key=${n.id}>
            <span dir="auto">${o}</span>
            <small><${Te} at=${n.at} />${n.by&&l`, <bdi>${n.by}</bdi>`}</small>
          </li>`)}
      </ol>
    </section>`}var pa=e=>{let t=new Date(e);return new Date(t.getTime()-t.getTimezoneOffset()*6e4).toISOString().slice(0,16)};function ma({pet:e,order:t}){let[n,o]=Y(!1),{id:r,status:s,reference:a="",heldUntil:i}=t,d=s==="placed";return n?l`<form class="fields" onSubmit=${async c=>{c.preventDefault();let p=new FormData(c.currentTarget),[m,u]=[String(p.get("reference")).trim(),String(p.get("until")??"")],y=i?pa(i):"",$={...m!==a&&{reference:m},...d&&u!==y&&{heldUntil:u?new Date(u).toISOString():null}};(Object.keys($).length===0||await pr(e,t,$))&&o(!1)}}>
    <label>
      For whom
      <input
        name="reference"
        dir="auto"
        maxlength="256"
        autofocus
        required=${a!==""}
        defaultValue=${a}
      />
    </label>
    <${ke} of="hold ${r}" field="reference" />
    ${d&&l`<label>
        Held until
        <input name="until" type="datetime-local" defaultValue=${i?pa(i):""} />
      </label>`}
    <${ke} of="hold ${r}" field="heldUntil" />
    <div class="actions">
      <button class="primary">Save</button>
      <button type="button" onClick=${()=>o(!1)}>Cancel</button>
    </div>
  </form>`:l`<span class="order-facts">
      ${a&&l`<span>For <bdi>${a}</bdi></span>`}
      ${d&&i&&l`<span>Held until <${Te} at=${i} /></span>`}
      ${g("orders:write")&&l`<button type="button" class="plain" onClick=${()=>o(!0)}>
          ${a?"Change":"For whom?"}<span class="hidden"> (order ${r})</span>
        </button>`}
    </span>`}function ya(){let{pet:e,orders:t=[],events:n=[],failure:o}=R.value??{},{pet:r}=h.value,s=()=>r!==void 0&&$e(r);if(!e){let i=ae(o)==="pet_not_found";return l`<${Ce} key="animal" title=${i?"No such animal":o?"Not loaded":"Loading…"} onClose=${ut}>
      ${o&&l`<p>${oe(o)}</p>`}
      ${o&&!i&&l`<p><button type="button" onClick=${s}>Try again</button></p>`}
    <//>`}let a=P.value?.before.id===e.id&&g("pets:write")?P.value:void 0;return l`<${Ce} key="animal" title=${a?a.before.name:e.name} onClose=${ut}>
    ${a?l`<${ua} draft=${a} isHeld=${Zn.value} />`:l`<${jl} pet=${e} orders=${t} />`}
    ${g("orders:read")&&l`<${Bl} pet=${e} orders=${t} />`}
    <${fa} events=${n} />
  <//>`}var Ul=({status:e})=>e==="placed";function jl({pet:e,orders:t}){let n=t.find(Ul),o=t.find(({status:i})=>i==="completed"),r=le.value.size>0,s=g("orders:write"),a=(i,d,f="")=>l`<button type="button" class=${f} aria-disabled=${r} onClick=${()=>r||d()}>${i}</button>`;return l`<div class="facts">
      <${so} pet=${e} />
      <dl>
        <div><dt>Status</dt><dd><${Sn} status=${e.status} /></dd></div>
        <div><dt>Category</dt><dd dir="auto">${U(e.categoryId)}</dd></div>
        <div><dt>Number</dt><dd class="digits">${e.id}</dd></div>
        <div><dt>Category number</dt><dd class="digits">${e.categoryId}</dd></div>
      </dl>
    </div>
    <div class="actions">
      ${s&&e.status==="available"&&a("Order",()=>Zt(e),"primary deed order")}
      ${s&&n&&a("Complete the order",()=>ot(e,n,"complete"),"primary deed")}
      ${s&&n&&a("Cancel the order",()=>ot(e,n,"cancel"),"deed")}
      ${s&&o&&a("Take back",()=>io(e,o),"deed")}
      ${g("pets:write")&&a("Edit",()=>sa(e))}
      ${g("pets:write")&&t.length===0&&a("Remove",()=>ra(e))}
    </div>
    ${g("pets:write")&&t.length>0&&l`<p class="quiet">It stays in the books with its orders, and cannot be removed.</p>`}
    ${s&&n&&l`<p class="quiet">Completing the order sells the animal.</p>`}`}var ha={cancelled:"Cancelled",returned:"Taken back",expired:"Ended"},Bl=({pet:e,orders:t})=>l`<section class="timeline" aria-labelledby="orders-title">
  <h3 id="orders-title">Orders</h3>
  ${t.length===0&&l`<p class="quiet">Nobody has ordered it yet.</p>`}
  <ol>
    ${[...t].reverse().map(n=>l`<li key=${n.id} class=${n.status}>
        <strong>Order ${n.id}, ${n.status}</strong>
        <${ma} pet=${e} order=${n} />
        <span>Placed <${Te} at=${n.createdAt} /></span>
        ${n.completedAt&&l`<span>Completed <${Te} at=${n.completedAt} /></span>`}
        ${n.status in ha&&l`<span>${ha[n.status]} <${Te} at=${n.updatedAt} /></span>`}
      </li>`)}
  </ol>
</section>`;async function en(e,t,n){if(Re.value)return;let o=new AbortController,r=()=>o.abort(),s=0,a=i=>{s+=i,Re.value={title:e,done:s,total:t,stop:r}};L(null),a(0);try{await n(a,o.signal)}catch(i){o.signal.aborted||de(i)}Re.value=null}var va=()=>N.value?.size||ze.value;async function*Wl(e){let t=[...N.value??[]];if(t.length===0)return yield*ga(e);let{order:n}=je.value;for(let o=0;o<t.length;o+=M){let r=t.slice(o,o+M);yield(await v().pets.list({limit:M,order:n,id:r},{signal:e}).page()).items}}async function*ga(e){let t=new Set,n;do{let o=await xn(n,t,{signal:e},M);yield o.pets,n=o.next}while(n)}var ba=()=>en("Selecting",ze.value,async(e,t)=>{for await(let n of ga(t))N.value=new Set([...N.value??[],...n.map(({id:o})=>o)]),e(n.length)});async function lo(e,t){let n=[];for await(let o of Wl(e))n.push(...o),t?.(o.length);return h.value.sort==="name"?n.sort((o,r)=>Bt.compare(o.name,r.name)):n}var Kl=e=>`"${ps(e).replaceAll('"','""')}"`;function zl(e){let t=J.value.find(({categoryId:n})=>n===e);return t?.name===t?.label?t?.name??String(e):String(e)}var Gl=({id:e,name:t,categoryId:n,status:o})=>[String(e),t,zl(n),o];function yr(e,t){let n=t.map(r=>`${r.map(Kl).join()}\r
`).join(""),o=URL.createObjectURL(new Blob(["\uFEFF",n],{type:"text/csv"}));Object.assign(document.createElement("a"),{href:o,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}var _a=()=>en("Saving",va(),async(e,t)=>{let n=await lo(t,e),o=new Date().toISOString().slice(0,10);yr(`animals-${o}.csv`,[["number","name","category","status"],...n.map(Gl)]);let r=N.value?.size?" what is selected, shown here or not":"";L({text:`Saved${r}: ${me(n.length)}.`})}),co=()=>en("Getting ready to print",va(),async(e,t)=>{gt.value=await lo(t,e)});function wa({pets:e}){return Z(()=>{print(),gt.value=null},[]),l`<table class="printed">
    <caption>${document.title}: ${me(e.length)}</caption>
    <thead>
      <tr>${["Number","Animal","Category","Status"].map(t=>l`<th scope="col">${t}</th>`)}</tr>
    </thead>
    <tbody>
      ${e.map(({id:t,name:n,categoryId:o,status:r})=>l`<tr key=${t}>
          <td>${t}</td>
          <td dir="auto">${n}</td>
          <td dir="auto">${U(o)}</td>
          <td>${r}</td>
        </tr>`)}
    </tbody>
  </table>`}function $a(){let e=B(null);zr(()=>{let a=document.activeElement;return e.current?.focus(),()=>a instanceof HTMLElement&&a.focus()},[]);let{title:t,done:n,total:o,stop:r}=Re.value??{},s=`${S(n??0)}${o===void 0?"":` of ${S(o)}`}`;return l`<div class="progress"><label>${t}: ${s}<progress value=${o&&n} max=${o} /></label>
    <button type="button" ref=${e} onClick=${r}>Stop</button></div>`}var uo=class extends Error{};async function xa({id:e},t){let{orders:n}=v(),[o]=(await n.list({petId:e,status:"placed"}).page()).items;if(!o)throw new uo("Nobody has ordered it.");return await n[t](o.id),async()=>{t==="complete"&&await n.return(o.id),await n.place({petId:e,...o.reference&&{reference:o.reference}})}}async function vr(e,t){let n=await v().pets.update(e.id,t);return()=>v().pets.update(e.id,ur(e,t),{ifMatch:n})}var gr=["orders:read","orders:write"],Pa={order:{label:"Order",scopes:gr,done:()=>"Reserved",run:async({id:e})=>{let t=await v().orders.place({petId:e});return()=>v().orders.cancel(t.id)}},complete:{label:"Complete the orders",scopes:gr,done:()=>"Sold",run:e=>xa(e,"complete")},cancel:{label:"Cancel the orders",scopes:gr,done:()=>"Available again",run:e=>xa(e,"cancel")},available:{label:"Mark as available",scopes:["pets:write"],done:()=>"Now available",run:e=>vr(e,{status:"available"})},pending:{label:"Mark as pending",scopes:["pets:write"],done:()=>"Now pending",run:e=>vr(e,{status:"pending"})},move:{label:"Move to a category",scopes:["pets:write"],done:e=>`Moved to ${U(e)}`,run:(e,t)=>vr(e,{categoryId:t})},remove:{label:"Remove for good",scopes:["pets:write"],done:()=>"Removed",run:async({id:e})=>{await v().pets.delete(e)}}},Jl=3,Ql=({label:e,done:t,run:n},o)=>en(e,N.value?.size,async(r,s)=>{let a=new Set(N.value),i=[],d=[],f,c=await lo(s).catch(b=>(f=b,[])),p=new Set(c.map(({id:b})=>b));if(!f)for(let b of a)p.has(b)||a.delete(b);s.aborted&&(f=void 0);let m=a.size,u=async b=>{try{let T=await n(b,o);T&&d.push(T)}catch(T){if(_n(T)||T instanceof uo)i.push({pet:b,why:oe(T)});else return void(f=T)}a.delete(b.id),r(1)},y=c.values(),$=async()=>{for(let b of y){if(s.aborted||f)return;await u(b)}};await Promise.all(Array.from({length:Jl},$));let w=[`${t(o)}: ${me(m-a.size-i.length)}.`];a.size>0&&w.push(`Not yet: ${S(a.size)}.`),f&&w.push(oe(f)),N.value=new Set([...i.map(({pet:b})=>b.id),...a]);let O=d.length>0?()=>Yl(d):void 0;L({text:w.join(" "),isError:f!==void 0,undo:O}),i.length>0&&(wn.value=i,Q.value="refused"),ee()}),Yl=e=>en("Undo",e.length,async t=>{let n=0;for(let r of e)await r().catch(()=>n++),t(1);let o=n>0?` Changed meanwhile, and left as they are: ${S(n)}.`:"";L({text:`Undone: ${me(e.length-n)}.${o}`,isError:n>0}),ee()}),Sa=()=>Object.entries(Pa).filter(([,{scopes:e}])=>e.every(g)),Oa=()=>Sa().length>0;function ka({shown:e}){let[t,n]=Y(""),[o,r]=Y(""),s=Pa[t],a=N.value?.size??0,i=`Remove ${me(a)} for good? Nobody can bring them back.`,d=m=>{m.preventDefault(),a===0?L({text:"Select some animals first."}):s&&!Re.value&&(t!=="remove"||confirm(i))&&Ql(s,BigInt(o||0))},f=a>0&&e.every(m=>N.value?.has(m))&&(a===ze.value||!we.value),c=()=>{f?N.value=new Set:ba()},p=()=>{N.value=null};return l`<form class="bulk" aria-label="Selection" onSubmit=${d}>
    <p role="status">${S(a)} selected</p>
    <button type="button" onClick=${c}>
      ${f?"Select none":`Select all ${ze.value===void 0?"found":S(ze.value)}`}
    </button>
    <label><span class="hidden">What to do with them</span>
        <select required value=${t} onChange=${re(n)}>
          <option value="">Do to all…</option>
          ${Sa().map(([m,{label:u}])=>l`<option value=${m}>${u}</option>`)}
        </select></label>
    ${t==="move"&&l`<${Xt}
        label="To which category"
        placeholder="To which category"
        required
        text=${o&&U(BigInt(o))}
        choices=${On()}
        onPick=${r}
      />`}
    <button class="primary">${s?.label.split(" ")[0]??"Do it"}</button>
    <button type="button" class="plain" onClick=${p}>Done</button>
  </form>`}var Ca=({onClose:e})=>l`<${Ce} title="Not all of them" onClose=${e}>
    <p>${S(wn.value.length)} refused, and still selected:</p>
    <ul class="refused">
      ${wn.value.map(({pet:t,why:n})=>l`<li key=${t.id}><strong dir="auto">${t.name}</strong> ${n}</li>`)}
    </ul>
  <//>`;var Zl=150;function Ea(){Ks(),Fe.value=null,Rs()}function fo(){Ea(),_s()}function Ta(e,t){let n=x(()=>h.value[t]??"");E(()=>{let o=n.value;ne(()=>{e.value.trim()!==o&&(e.value=o)})}),E(()=>{let o=e.value.trim();if(o===ne(()=>n.value))return;let r=setTimeout(()=>V({[t]:o||void 0},!0),o?Zl:0);return()=>clearTimeout(r)})}function Ma(){E(()=>{I.value!==null||!se.value||(Ae.value="This key is no longer valid. Enter another one; nothing you typed is lost.",se.value=null)}),Ta(et,"search"),Ta(nt,"find");let e=x(()=>g("pets:read"));E(()=>{e.value&&ne(()=>pe().catch(de))});let t=x(()=>h.value.sort==="name");E(()=>{t.value,e.value&&wt.value&&ne(Pn)});let n=x(()=>Oe()&&`${h.value.tab} ${h.value.find}`);E(()=>{n.value&&ne(Wt)});let o=x(()=>xt()&&(h.value.day??"today"));E(()=>{o.value&&ne(Pt)});let r=x(()=>e.value?h.value.pet:void 0);E(()=>{let s=r.value;ne(()=>{s===void 0?R.value=null:$e(s)})}),E(()=>{if(G.value)return;let s=setInterval(ee,5e3);return()=>clearInterval(s)}),E(()=>{if(gn.value===0)return;let s=setTimeout(()=>{gn.value=0,ie.value?.isWaiting&&L(null),ee()},gn.value);return()=>clearTimeout(s)}),addEventListener("offline",()=>{G.value=!1}),addEventListener("online",ee),document.addEventListener("visibilitychange",()=>document.visibilityState==="visible"&&ee()),E(()=>{let s=I.value;ne(()=>{s!==null&&!se.value&&yt(s)})}),ws(Ea)}var Xl=[["/","Search"],["↓","From the search to what was found"],["← ↑ → ↓","Go from animal to animal"],["Enter","Open the animal; in the search, the first"],["o","Order the animal"],["n","Add an animal"],["1 2 3","Animals, orders, the report of a day"],["Ctrl P","Print"],["Ctrl Z","Undo what was just done"],["Esc","Close, or clear the search"],["?","This sheet"]],Aa=({onClose:e})=>l`<${Ce} title="Keyboard" onClose=${e}>
  <dl class="shortcuts">
    ${Xl.map(([t,n])=>l`<div><dt><kbd>${t}</kbd></dt><dd>${n}</dd></div>`)}
  </dl>
<//>`;function ed(e,t,n){let o=d=>e[d]?.closest(".item")?.getBoundingClientRect(),{top:r,left:s}=o(t)??{top:0,left:0},a=t+n;for(;o(a)?.top===r;)a+=n;let i=o(a)?.top;for(;o(a+n)?.top===i&&n*(s-(o(a)?.left??s))>0;)a+=n;return a}var td={ArrowLeft:-1,ArrowRight:1};function nd(e){let t=[...document.querySelectorAll(".catalogue .name")],n=document.activeElement?.closest(".item")?.querySelector(".name"),o=n?t.indexOf(n):-1,r=td[e],s=o<0?0:r?o+r:ed(t,o,e==="ArrowDown"?1:-1);t[s]?.focus()}var Na=new Map([["1",()=>V({show:void 0,pet:void 0})],["2",()=>g("orders:read")&&V({show:"orders",pet:void 0})],["3",()=>g("events:read")&&V({show:"report",pet:void 0})]]);function od(e){let t=document.querySelector(".catalogue .name"),[n,o,r]=Oe()?[nt,h.value.find,!1]:[et,h.value.search,fe.value];if(e==="Escape")n.value="",document.querySelector("main")?.focus();else if(e==="ArrowDown")t?.focus();else if(e==="Enter")o&&n.value.trim()===o&&!r&&t?.click();else return!1;return!0}var rd=e=>e instanceof HTMLSelectElement||e instanceof HTMLInputElement&&e.value!=="";function sd(e){let{target:t,key:n}=e,o=e.ctrlKey||e.metaKey;if(o&&n==="p"&&g("pets:read")&&h.value.show===void 0&&!document.querySelector("dialog[open]")&&(e.preventDefault(),co()),o&&n==="z"&&!e.shiftKey&&!rd(t)&&ie.value?.undo&&(e.preventDefault(),ie.value.undo()),!se.value||o||e.altKey||!(t instanceof HTMLElement))return;let r=document.querySelector("dialog[open]");if(n==="o"&&!e.repeat&&!/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName)&&(r??t.closest(".item"))?.querySelector(".order")?.click(),r)return;t.id==="search"&&od(n)&&e.preventDefault();let s=n==="/"&&t.matches(".messages input:placeholder-shown");if(!(/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName)&&!s)){if(n==="/")document.querySelector("#search")?.select();else if(n==="n"&&g("pets:write"))Q.value="add";else if(n==="?")Q.value="shortcuts";else if(n.startsWith("Arrow"))nd(n);else if(Na.has(n))Na.get(n)?.();else return;e.preventDefault()}}var Ia=()=>[...document.querySelectorAll("main .item")];function ad(){let e;addEventListener("focusin",({target:r})=>{if(!(r instanceof HTMLElement))return;if(r.closest("dialog, .messages")){e??={element:null,id:void 0,at:-1};return}let s=r.closest(".item");e={element:r,id:s?.dataset.id,at:s?Ia().indexOf(s):-1}}),addEventListener("pointerdown",({target:r})=>{r instanceof Element&&!r.closest("a, button, label, input, select, dialog, [tabindex]")&&(e=void 0)});let t=()=>{if(n=!1,!e||document.activeElement!==document.body||document.querySelector("dialog[open]"))return;let{element:r,id:s,at:a}=e,i=Ia(),d=i.find(({dataset:c})=>s&&c.id===s)??i[Math.min(a,i.length-1)],f=r?.isConnected?r:d?.querySelector(".name")??document.querySelector("main [autofocus]")??document.querySelector("main");f instanceof HTMLElement&&f.focus({preventScroll:!0})},n=!1,o=()=>{n||setTimeout(t),n=!0};new MutationObserver(o).observe(document.body,{childList:!0,subtree:!0})}function Ra(){ad(),addEventListener("keydown",sd),hs()}function La(e,t,n){let o=_(be?.getItem(e)===n?n:t);return E(()=>{o.value===t?be?.removeItem(e):be?.setItem(e,o.value)}),o}var tn=La("petstore.view","table","cards"),kn=La("petstore.figures","folded","open");var Cn=48,Tn=10,id=new Intl.DateTimeFormat(void 0,{day:"numeric",month:"short",timeZone:"UTC"}),nn=({day:e})=>id.format(new Date(e)),po=(e,t)=>e.reduce((n,o)=>n+o[t],0),br=(...e)=>{let t=po(e,"returned");return t>0?`, ${S(t)} returned`:""};function Da(){let e=kn.value==="open",t=()=>{kn.value=e?"folded":"open"},n=tt.value??[],o=tt.value&&`${S(po(n,"added"))} added, ${S(po(n,"sold"))} sold`;return l`<button type="button" class="plain figures" aria-expanded=${e} onClick=${t}>
    <span class="wide">30 days: ${o??"–"}${br(...n)}</span><span class="narrow">30 days</span>
  </button>`}function ld(e){let t=({added:r,sold:s})=>Math.max(r,s),[n,o]=e.toSorted((r,s)=>t(s)-t(r));return!n||!o||t(o)===0||t(n)<5*t(o)?{most:Math.max(1,n?t(n):0),beyond:void 0}:{most:1.25*t(o),beyond:n}}function Fa(){let[e,t]=Y(null),n=tt.value??[],o=n.length-1,r=n[e??o],s=e!==null&&r?[r]:n,a=c=>tt.value?S(po(s,c)):"–",{most:i,beyond:d}=ld(n);return l`<figure class="chart">
    <div class="plot" onPointerMove=${({clientX:c,currentTarget:p})=>{let{left:m,width:u}=p.getBoundingClientRect();t(Math.max(0,Math.min(o,Math.floor((c-m)/u*n.length))))}} onPointerLeave=${()=>t(null)}>
      <${dd} days=${n} at=${e} most=${i} />
      ${r&&l`<input
          type="range"
          aria-label="Day"
          aria-valuetext="${nn(r)}: ${r.added} added, ${r.sold} sold${br(r)}"
          min="0"
          max=${o}
          value=${e??o}
          onInput=${re(c=>t(Number(c)))}
          onFocus=${()=>t(e??o)}
          onBlur=${()=>t(null)}
        />`}
    </div>
    <p class="dates" aria-hidden="true">
      <span>${n[0]&&nn(n[0])}</span>
      <span>${n[o]&&nn(n[o])}</span>
    </p>
    <figcaption>
      <strong>${e!==null&&r?nn(r):`In ${n.length||30} days`}</strong>${" "}
      <i class="added" />${a("added")} added <i />${a("sold")} sold${br(...s)}
      ${d&&e===null&&l`<span class="beyond">
          ${nn(d)} is beyond the scale: ${S(d.added)} added, ${S(d.sold)} sold
        </span>`}
    </figcaption>
    <div class="hidden"><${cd} days=${n} /></div>
  </figure>`}function dd({days:e,at:t,most:n}){let o=(r,s,a)=>{let i=r>0?Math.min(Cn,Math.max(2,r/n*Cn)):0;return l`<rect class=${a} x=${s} y=${Cn-i} width="4" height=${i} rx="1" />`};return l`<svg viewBox="0 0 ${30*Tn} ${Cn}" preserveAspectRatio="none" aria-hidden="true">
    ${t!==null&&l`<rect class="day" x=${t*Tn-.75} width=${Tn} height=${Cn} rx="1" />`}
    ${e.map(({day:r,added:s,sold:a},i)=>l`<g key=${r}>
        ${o(s,i*Tn,"added")}
        ${o(a,i*Tn+4.5,"bar")}
      </g>`)}
  </svg>`}var cd=({days:e})=>l`<table>
  <caption>Animals added, sold and returned on each of the last 30 days</caption>
  <thead>
    <tr>
      <th scope="col">Day</th>
      <th scope="col">Added</th>
      <th scope="col">Sold</th>
      <th scope="col">Returned</th>
    </tr>
  </thead>
  <tbody>
    ${e.map(t=>l`<tr key=${t.day}>
        <th scope="row">${nn(t)}</th>
        <td>${t.added}</td>
        <td>${t.sold}</td>
        <td>${t.returned}</td>
      </tr>`)}
  </tbody>
</table>`;var ud=x(()=>{let e=Ue({pet:void 0});return`${e}${e.includes("?")?"&":"?"}pet=`});function fd(e){let t=e.length>24?e.indexOf(" ",e.length-12):-1;return Math.max(0,t)}function Va({id:e,name:t}){let n=fd(t);return l`<a class="name" dir="auto" href=${ud.value+e}>${n?l`<span>${t.slice(0,n)}</span><span class="tail">${t.slice(n)}</span>`:l`<span>${t}</span>`}</a>`}var Ha=({status:e,name:t})=>e==="available"&&g("orders:write")&&l`<button type="button" class="order deed">Order<span class="hidden"> <bdi>${t}</bdi></span></button>`,qa=({name:e},t)=>l`<label class="pick">
    <input type="checkbox" checked=${t} />
    <span class="hidden">Select <bdi>${e}</bdi></span>
  </label>`,pd=(e,t)=>l`<div class="card item" role="listitem" key=${e.id} data-id=${e.id}>
  ${t&&qa(e,t.has(String(e.id)))}${so({pet:e})}
  <div class="what">${Va(e)}
    <span class="category" dir="auto">${U(e.categoryId)}</span></div>
  ${Sn(e)}<span class="id">${e.id}</span>${Ha(e)}
</div>`,md=(e,t)=>l`<tr class="row item" role="row" key=${e.id} data-id=${e.id}>
  ${t&&l`<td role="cell">${qa(e,t.has(String(e.id)))}</td>`}
  <td role="cell" class="id">${e.id}</td>
  <td role="cell">${Va(e)}</td>
  <td role="cell" class="category" dir="auto">${U(e.categoryId)}</td>
  <td role="cell">${Sn(e)}</td>
  <td role="cell" class="do">${Ha(e)}</td>
</tr>`;function Ua({pets:e,isTable:t}){let n=ss(()=>N.value===null?void 0:e.flatMap(({id:d})=>N.value?.has(d)?d:[]).join()).value,o=n===void 0?void 0:new Set(n.split(",")),r=d=>{let f=d instanceof Element&&d.closest(".item")?.dataset.id;return e.find(c=>String(c.id)===f)},s=({target:d})=>{let f=r(d)?.id;if(f===void 0||!N.value||!(d instanceof HTMLInputElement))return;let c=[...N.value].filter(p=>p!==f);N.value=new Set(d.checked?[...c,f]:c)},a=d=>{let{target:f}=d,c=r(f);!c||!(f instanceof HTMLElement)||(f.closest(".order")&&Zt(c),!(!f.closest(".name")||d.metaKey||d.ctrlKey||d.shiftKey)&&(d.preventDefault(),V({pet:c.id})))},i={"--count":e.length};return t?l`<tbody class="chunk" role="rowgroup" style=${i} onClick=${a} onChange=${s}>
        ${e.map(d=>md(d,o))}
      </tbody>`:l`<div class="cards chunk" style=${i} onClick=${a} onChange=${s}>
        ${e.map(d=>pd(d,o))}
      </div>`}var hd=x(()=>{let e=new Set(H.value.map(({id:s})=>s)),t=s=>a=>a.some(s)?a.filter(i=>!s(i)):a,n=({id:s})=>Xe.value.has(s),o=({id:s})=>e.has(s),r=[H.value,...A.value.map(({pets:s})=>s).map(t(o))].map(t(n));return h.value.sort!=="name"?r:[r.flat().sort((s,a)=>Bt.compare(s.name,a.name))]});function ja(e,t,n){let{sort:o}=h.value,r=t.includes(o),s=t[(t.indexOf(o)+1)%t.length];return l`<th role="columnheader" scope="col" aria-sort=${r?o===void 0?"descending":"ascending":void 0}>
    <button type="button" class="sort" onClick=${()=>V({sort:s})}>
      ${e}<span aria-hidden="true">${r&&n}</span>
    </button>
  </th>`}function yd({lists:e}){let t=tn.value==="table",n=e.map((r,s)=>r.length>0&&l`<${Ua} key=${s} pets=${r} isTable=${t} />`),o=h.value.sort===void 0?" ↓":" ↑";return t?l`<table role="table"><thead role="rowgroup"><tr role="row">
        ${N.value&&l`<td role="cell"></td>`}
        ${ja("Number",[void 0,"oldest"],o)}${ja("Animal",["name"],o)}
        ${["Category","Status"].map(ro)}
        <td role="cell" class="do"></td>
      </tr></thead>${n}</table>`:l`<div role="list">${n}</div>`}function Ba(){let e=hd.value,t=e.flat().map(({id:o})=>o),n=N.value!==null;return l`<section
    class="catalogue ${n?"selecting":""}"
    aria-label="Animals"
    aria-busy=${fe.value}
  >
    <div class="found">
      <p role="status">${vd(t.length)}</p>
      ${gd()&&l`<button type="button" class="plain" onClick=${Wa}>Clear</button>`}
      <${bd} /><${Jt} /><${Da} />
    </div>
    ${kn.value==="open"&&l`<${Fa} />`}
    ${Re.value&&l`<${$a} />`}
    ${t.length===0&&!fe.value&&!Se.value&&!we.value&&l`<${_d} />`}
    ${t.length===0&&fe.value&&l`<ul class=${tn.value} aria-hidden="true">
        ${Array.from({length:8},()=>l`<li class="card blank" />`)}
      </ul>`}
    ${n&&l`<${ka} shown=${t} />`}
    ${t.length>0&&l`<${yd} lists=${e} />`}
    ${Se.value&&l`<${wd} />`}
    ${we.value&&!Se.value&&l`<${wr} at=${A.value.length} />`}
    ${gt.value&&l`<${wa} pets=${gt.value} />`}
  </section>`}function vd(e){let{search:t,sort:n}=h.value,o=ze.value;if(Se.value&&e===0)return G.value?"":"Offline";if(fe.value&&e===0)return"Loading…";if(!we.value)return e===0&&!t?"":`${me(e)}${t?" found":""}`;let r=o===void 0?`${me(e)} shown, more to come`:`${S(e)} of ${me(o)}`;return n==="name"?`${r}, by name among those`:r}var _r={status:void 0,category:void 0,search:void 0},Wa=()=>V(_r),gd=()=>Object.keys(_r).some(e=>h.value[e]!==void 0);function bd(){let e=Pe.value.filter(({id:n})=>H.value.every(o=>o.id!==n)),t=()=>{H.value=[...e,...H.value],Pe.value=[]};return e.length>0&&l`<button type="button" onClick=${t}>Show ${S(e.length)} new</button>`}function _d(){let{status:e,category:t,search:n}=h.value,o=e!==void 0||t!==void 0;return!o&&!n?l`<div class="notice">
      <h2>No animals yet</h2>
      ${g("pets:write")&&l`<p>The first one is a name and a category away.</p>
          <p>
            <button type="button" class="primary" onClick=${()=>Q.value="add"}>Add an animal</button>
          </p>`}
    </div>`:l`<div class="notice">
    <h2>Nothing matches</h2>
    ${n&&l`<p>A search finds how words begin, in names of animals and of categories, or a number.</p>`}
    <p class="actions">
      ${n&&o&&l`<button type="button" onClick=${()=>V({..._r,search:n})}>Search all animals</button>`}
      <button type="button" onClick=${Wa}>Show all animals</button>
    </p>
  </div>`}var wd=()=>l`<div class="notice" role="alert">
  <h2>The animals could not be loaded</h2>
  <p>${oe(Se.value)}</p>
  <p><button type="button" onClick=${()=>A.value.length>0?no():Pn()}>Try again</button></p>
</div>`;function wr({at:e,onMore:t=no}){let n=B(null);return Z(()=>{if(!n.current)return;let o=new IntersectionObserver(([r])=>r?.isIntersecting&&t(),{rootMargin:"600px"});return o.observe(n.current),()=>o.disconnect()},[e]),l`<p class="more" ref=${n}><button type="button" onClick=${t}>Show more</button></p>`}var Ka=300,za=6e4;function $d(e){let t=new Set,n=!1;async function o(){if(!n){n=!0;try{for(let r=Ka;;){await hn(r,e);let s=[...t];t.clear();try{if(await(s.length>M?ee():Promise.all([pe(),xd(s),Vs(s),qs()])),t.size===0)break;r=Ka}catch{for(let a of s)t.add(a);r=za}}}catch{}n=!1}}return r=>{r!==void 0&&t.add(r),o()}}async function xd(e){let t=new Map([...A.value.flatMap(({pets:a})=>a),...H.value].map(a=>[a.id,a]));await Pd(e.filter(a=>!t.has(a)));let n=e.filter(a=>t.has(a)||R.value?.pet?.id===a);if(n.length===0)return;let{items:o}=await v().pets.list({limit:M,id:n}).page(),r=new Map(o.map(a=>[a.id,a])),s=R.value?.pet;for(let a of n){let i=t.get(a);if(!i)continue;let d=r.get(a)??{...i,status:"removed"};Ut(d,i)||De(d)}s&&n.includes(s.id)&&await Sd(s,r.get(s.id))}async function Pd(e){let t=wt.value,n=h.value.sort!=="oldest",o=()=>n||!we.value,r=[...Pe.value,...(n?A.value[0]:A.value.at(-1))?.pets??[]],s=e.filter(f=>r.every(c=>c.id<f));if(s.length===0||!o())return;let a=await Promise.all(t.map(f=>v().pets.list({...f,limit:M,id:s}).page())),i=[...new Map(a.flatMap(f=>f.items.map(c=>[c.id,c]))).values()],d=A.value.at(-1);i.length===0||wt.value!==t||!o()||!d||(n?Pe.value=[...i,...Pe.value]:A.value=[...A.value.slice(0,-1),{...d,pets:[...d.pets,...i]}])}async function Sd(e,t){let n=P.value?.before.id===e.id;(t||!n)&&await $e(e.id),!(Ut(t,e)||le.value.size>0||ie.value?.undo)&&L({text:`Somebody else has ${t?"changed":"removed"} this animal.`})}async function Od(e){let t=$d(e);for(;!e.aborted;)try{let{next:n}=await v().events.list({limit:1,from:"now"},{signal:e}).page();await ee(),qt.value=!0;for await(let{type:o,data:r}of v().events.follow({cursor:n},{signal:e}))t(o.startsWith("category.")?void 0:"petId"in r?r.petId:r.id)}catch(n){qt.value=!1,ae(n)!=="events_expired"&&await hn(za,e).catch(()=>{})}}function Ga(){let e=_(document.visibilityState==="visible");document.addEventListener("visibilitychange",()=>{e.value=document.visibilityState==="visible"});let t=x(()=>g("pets:read")&&g("events:read")&&e.value&&G.value);E(()=>{if(!t.value)return;let n=new AbortController;return ne(()=>Od(n.signal)),()=>{qt.value=!1,n.abort()}})}var Ja=e=>t=>{t.metaKey||t.ctrlKey||t.shiftKey||(t.preventDefault(),e())};function Qa(){let e=(t,n)=>{let o={show:t,pet:void 0};return l`<a
      href=${Ue(o)}
      aria-current=${h.value.show===t?"page":void 0}
      onClick=${Ja(()=>V(o))}
    >
      ${n}
    </a>`};return l`<nav class="tabs" aria-label="Show">
    ${e(void 0,"Animals")}${g("orders:read")&&e("orders","Orders")}
    ${g("orders:read")&&g("events:read")&&e("report","Report")}
  </nav>`}var kd={placed:"Open",completed:"Completed",returned:"Returned",cancelled:"Cancelled",expired:"Expired"};function Cd(){let{tab:e="placed",find:t}=h.value,{items:n=[],next:o}=C.value??{},r=i=>i==="placed"&&e===i&&!t&&C.value&&!o?S(n.filter(({order:f})=>f.status===i).length):$n.value.get(i),s=i=>l`<button
      type="button"
      aria-pressed=${!t&&e===i}
      onClick=${()=>V({tab:i==="placed"?void 0:i,find:void 0})}
    >
      ${kd[i]} <span class="count">${r(i)}</span>
    </button>`,a=i=>{nt.value=i};return l`<div class="toolbar">
    <label class="search"><span class="hidden">Search all orders</span>
      <input
        id="search"
        type="search"
        placeholder="Search by number, reference or animal"
        aria-keyshortcuts="/"
        maxlength=${Nt}
        autocomplete="off"
        value=${nt.value}
        onInput=${re(a)}
      />
    </label>
    <div class="statuses" role="group" aria-label="Status">${It.map(s)}</div>
  </div>`}var Td=["Number","Animal","For","Status","Placed","Ends or ended"];function Ya(){let{items:e=[],next:t,failure:n}=C.value??{},{find:o}=h.value,r=o?" found":t?" shown, more to come":"",s=`${S(e.length)} order${e.length===1?"":"s"}${r}`;return l`<${Cd} /><section class="catalogue orders" aria-label="Orders" aria-busy=${!C.value}>
    <div class="found">
      <p role="status">${C.value?e.length>0&&s:"Loading…"}</p><${Jt} />
    </div>
    ${e.length>0&&l`<div><table role="table">
        <thead role="rowgroup"><tr role="row">
          ${Td.map(ro)}
          <td role="cell"></td>
        </tr></thead>
        <tbody role="rowgroup">${e.map(a=>l`<${Ld} key=${a.order.id} ...${a} />`)}</tbody>
      </table></div>`}
    ${n?l`<div class="notice" role="alert">
            <h2>The orders could not be loaded</h2>
            <p>${oe(n)}</p>
            <p>
              <button type="button" onClick=${e.length>0?lr:Wt}>Try again</button>
            </p>
          </div>`:C.value&&e.length===0&&l`<${Ed} />`}
    ${t&&!n&&l`<${wr} at=${e.length} onMore=${lr} />`}
  </section>`}function Ed(){let{find:e,tab:t="placed"}=h.value;return e?l`<div class="notice">
      <h2>Nothing matches</h2>
      <p>A search finds the number of an order, a whole reference, any part of the reference of an open order, and
        animals by name or number.</p>
    </div>`:l`<div class="notice">
    <h2>No orders here</h2>
    <p>${t==="placed"?"No animal is reserved. An order is placed on an animal: press Order there.":`No order is ${t}.`}</p>
  </div>`}var Md=4*36e5,Nd=new Intl.RelativeTimeFormat("en",{numeric:"auto"}),Id=[["day",864e5],["hour",36e5],["minute",6e4]];function Ad(e){let t=Date.parse(e)-Date.now(),[n,o]=Id.find(([,r])=>Math.abs(t)>=r)??["minute",6e4];return Nd.format(Math.trunc(t/o),n)}function Rd({order:e}){let{status:t,heldUntil:n,completedAt:o,updatedAt:r}=e;if(t!=="placed")return l`<${Te} at=${t==="completed"?o??r:r} />`;if(!n)return l`<span class="quiet">Held for good</span>`;let s=Date.parse(n)-Date.now()<Md;return l`<span class=${s?"soon":""}>Ends ${Ad(n)}</span>`}function Ld({order:e,pet:t}){let{id:n,status:o,createdAt:r,reference:s}=e,a={pet:t.id},i=(f,c)=>l`<button type="button" class="deed" aria-label="${c} order ${n}, ${t.name}" onClick=${f}>
      ${c}
    </button>`,d=g("orders:write");return l`<tr class="row item" role="row" data-id=${n}>
    <td role="cell" class="id">${n}</td>
    <td role="cell"><a class="name" href=${Ue(a)} onClick=${Ja(()=>V(a))}><bdi>${t.name}</bdi></a></td>
    <td role="cell" class="for" dir="auto">${s}</td>
    <td role="cell"><span class="status ${o}">${o}</span></td>
    <td role="cell" class="quiet"><span class="on">Placed </span><${Te} at=${r} /></td>
    <td role="cell" class="ends"><${Rd} order=${e} /></td>
    <td role="cell" class="do">
      ${d&&o==="placed"&&i(()=>ot(t,e,"complete"),"Complete")}
      ${d&&o==="placed"&&i(()=>ot(t,e,"cancel"),"Cancel")}
      ${d&&o==="completed"&&i(()=>io(t,e),"Take back")}
    </td>
  </tr>`}var Xa="(no key)",$r=["Time","Order","What","Number","Animal","Category","For","By"],Dd=new Intl.DateTimeFormat("en-GB",{timeStyle:"short"}),Za=({at:e,what:t,order:n,pet:o,by:r=Xa})=>[Dd.format(new Date(e)),String(n.id),t,String(n.petId),o?.name??"",o?U(o.categoryId):"",n.reference??"",r],mo=(e,t)=>e.filter(n=>n.what===t).length;function Fd({rows:e}){let t=[...Map.groupBy(e,({by:n=Xa})=>n)];return l`<ul class="people">
    ${t.map(([n,o])=>l`<li key=${n}>
        <strong dir="auto">${n}</strong> ${S(mo(o,"sold"))} sold,
        ${" "}${S(mo(o,"returned"))} returned
      </li>`)}
  </ul>`}function ei(){let e=h.value.day??Kt(),{rows:t=[],failure:n}=Fe.value??{},o=()=>yr(`sales-${e}.csv`,[$r,...t.map(Za)]),r=`${S(mo(t,"sold"))} sold, ${S(mo(t,"returned"))} returned`;return l`<div class="toolbar">
      <label class="date"><span class="hidden">Day</span>
        <input
          type="date"
          required
          max=${Kt()}
          value=${e}
          onInput=${re(s=>s&&V({day:s===Kt()?void 0:s},!0))}
        />
      </label>
      <button type="button" onClick=${()=>print()}>Print</button>
      <button type="button" onClick=${o}>Save as CSV</button>
    </div>
    <section class="catalogue report" aria-label="Report" aria-busy=${!Fe.value}>
      <div class="found"><p role="status">${Fe.value?!n&&r:"Loading…"}</p><${Jt} /></div>
      ${n&&l`<div class="notice" role="alert">
          <h2>The report could not be loaded</h2>
          <p>${oe(n)}</p>
          <p><button type="button" onClick=${Pt}>Try again</button></p>
        </div>`}
      ${Fe.value&&!n&&t.length===0&&l`<div class="notice"><h2>Nothing was sold or returned</h2><p>Events are kept for some weeks.</p></div>`}
      ${t.length>0&&l`<h2 class="only-print">Sales of ${e}: ${r}</h2><${Fd} rows=${t} />
          <table class="sales">
            <thead><tr>${$r.map(s=>l`<th scope="col">${s}</th>`)}</tr></thead>
            <tbody>
              ${t.map((s,a)=>l`<tr key=${a}>
                ${Za(s).map((i,d)=>l`<td dir="auto" data-column=${$r[d]}>${i}</td>`)}
              </tr>`)}
            </tbody>
          </table>`}
    </section>`}var ti=()=>I.value===null?l`<${Vd} />`:l`<${Hd} apiKey=${I.value} />`;function Vd(){let[e,t]=Y(!1);return l`<main class="signin">
    <form class="fields" onSubmit=${async o=>{o.preventDefault(),t(!0);let r=new FormData(o.currentTarget);await yt(String(r.get("key")).trim(),r.has("remember")),t(!1)}}>
      <img src="shop/favicon.svg" alt="" width="64" height="64" />
      <h1>Pet Store</h1>
      <p>Sign in with your API key. Whoever runs this store gives out the keys, one to each person.</p>
      <p role="alert" class="refusal">${Ae.value}</p>
      <label>
        API key
        <input
          name="key"
          type="password"
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck=${!1}
          maxlength="200"
          autofocus
        />
      </label>
      <label class="remember">
        <input name="remember" type="checkbox" aria-describedby="remember-note" />
        Remember it on this device
      </label>
      <p id="remember-note" class="quiet">
        Then whoever uses this browser is signed in, until somebody signs out. Otherwise it is forgotten when the last
        tab is closed.
      </p>
      <button class="primary" disabled=${e}>Sign in</button>
      <${oo} />
    </form>
    <${Qt} />
  </main>`}var Hd=({apiKey:e})=>l`<main class="signin">
  <div class="notice" role="status"><p>${Ae.value||"Signing in…"}</p>${Ae.value&&l`<p class="actions">
      <button type="button" class="primary" onClick=${()=>yt(e)}>Try again</button>
      <button type="button" onClick=${fo}>Use another key</button>
    </p>`}</div>
  <${Qt} />
</main>`;var ni=Lr(()=>{});function oi({label:e,children:t}){let[n,o]=Y(!1),r=B(null),s=B(null),a=()=>{s.current?.focus(),o(!1)};return Z(()=>{if(!n)return;let d=({target:c})=>r.current?.contains(c)||o(!1),f=["pointerdown","focusin"];for(let c of f)addEventListener(c,d);return()=>{for(let c of f)removeEventListener(c,d)}},[n]),l`<div class="menu" ref=${r} onKeyDown=${d=>{let f=[...r.current?.querySelectorAll("button")??[]],c={ArrowDown:1,ArrowUp:-1}[d.key];if(c&&n){let p=f.indexOf(document.activeElement);f[(p+c+f.length)%f.length]?.focus()}else if(d.key==="Escape"&&n)a();else return;d.preventDefault(),d.stopPropagation()}}>
    <button
      type="button"
      ref=${s}
      aria-expanded=${n}
      onClick=${()=>o(!n)}
    >
      <span aria-hidden="true">⋯</span><span class="hidden">${e}</span>
    </button>
    ${n&&l`<${ni.Provider} value=${a}><div class="items">${t}</div><//>`}
  </div>`}function rt({isOn:e,onPick:t,children:n}){let o=Gr(ni);return l`<button type="button" class="plain" aria-pressed=${e} onClick=${()=>{o(),t()}}>${n}</button>`}var xr=e=>()=>{Q.value=e};function ri(){let{category:e}=h.value,t=o=>{et.value=o},n={value:"",text:"All categories",note:Ze.value?S(_t(Ze.value)):void 0};return l`<div class="toolbar">
    <label class="search"><span class="hidden">Search all animals</span>
      <input
        id="search"
        type="search"
        placeholder="Search by name, category or number"
        aria-keyshortcuts="/"
        maxlength=${Nt}
        autocomplete="off"
        value=${et.value}
        onInput=${re(t)}
      />
    </label>
    <${qd} />
    <${Xt}
      label="Category"
      text=${e===void 0?n.text:U(e)}
      choices=${[n,...On()]}
      onPick=${o=>V({category:o?BigInt(o):void 0})}
    />
    ${g("pets:write")&&l`<button type="button" class="primary add" onClick=${xr("add")}>
        <span aria-hidden="true">+</span> Add
      </button>`}
    <${jd} />
  </div>`}function qd(){let{status:e}=h.value,t=(n,o,r)=>l`<button type="button" aria-pressed=${e===n} onClick=${()=>V({status:n})}>
      ${o}${r!==void 0&&l` <span class="count">${S(r)}</span>`}
    </button>`;return l`<div class="statuses" role="group" aria-label="Status">
    ${t(void 0,"All",vt.value&&_t(vt.value))}
    ${fn.map(n=>t(n,n[0]?.toUpperCase()+n.slice(1),vt.value?.[n]))}
  </div>`}var Ud=()=>{N.value=N.value?null:new Set};function jd(){let{sort:e}=h.value,t=(o,r)=>l`<${rt} isOn=${e===o} onPick=${()=>V({sort:o})}>${r}<//>`,n=(o,r)=>l`<${rt} isOn=${tn.value===o} onPick=${()=>tn.value=o}>${r}<//>`;return l`<${oi} label="Menu">
    ${Oa()&&l`<${rt} isOn=${N.value!==null} onPick=${Ud}>Select<//>`}
    <${rt} onPick=${_a}>Save as CSV<//>
    <${rt} onPick=${co}>Print<//>
    ${g("pets:write")&&l`<${rt} onPick=${xr("categories")}>Categories<//>`}
    <hr />
    ${n("table","Table")}${n("cards","Cards")}
    <hr />
    ${t(void 0,"Newest first")}${t("oldest","Oldest first")}${t("name","By name")}
    <hr />
    <${rt} onPick=${xr("shortcuts")}>Keyboard shortcuts<//>
  <//>`}var Bd={add:ca,categories:da,shortcuts:Aa,refused:Ca};function Wd(){E(()=>{let e=Q.value&&{sheet:Q.value};e?.sheet!==history.state?.sheet&&(e?history.pushState(e,""):history.replaceState(null,""))}),addEventListener("popstate",()=>{Q.value=history.state?.sheet??null})}function Kd(){return Oe()?l`<${Ya} />`:xt()?l`<${ei} />`:g("pets:read")?l`<${ri} /><${Ba} />`:l`<div class="notice">
    <h2>This key may not see the animals</h2>
    <p>It needs the scope <code>pets:read</code>. Ask for another key, and sign in with it.</p>
  </div>`}function zd(){if(!se.value)return l`<${ti} />`;let e=Q.value&&(Q.value==="shortcuts"||Q.value==="refused"||g("pets:write"))&&Bd[Q.value],t=e||h.value.pet!==void 0;return l`<header class="masthead">
      <h1 class="brand"><img src="shop/favicon.svg" alt="" width="32" height="32" />Pet Store</h1>
      ${g("pets:read")&&g("orders:read")&&l`<${Qa} />`}
      <p class="who">
        <${oo} />
        <span dir="auto">${se.value.name}</span>
        <button type="button" class="plain" onClick=${fo}>Sign out</button>
      </p>
    </header>
    <main tabindex="-1">${Kd()}</main>
    ${e?l`<${e} onClose=${ut} />`:t&&g("pets:read")&&l`<${ya} />`}
    ${!t&&l`<${Qt} />`}`}E(()=>{let{status:e,category:t,show:n}=h.value,o=t!==void 0&&U(t),r=n?[n==="orders"?"Orders":"Report"]:[o,e];document.title=[R.value?.pet?.name,...r,"Pet Store"].filter(Boolean).join(" · ")});Ra();Wd();Ma();Ga();Rr(l`<${zd} />`,document.getElementById("shop"));
